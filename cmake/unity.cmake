# gfdt_together(target group file.cpp...): files that are compiled as one, since what they include takes longer than they do.
function(gfdt_together target group)
  set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
endfunction()
