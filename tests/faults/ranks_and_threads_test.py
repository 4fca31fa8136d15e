"""Some commands by several threads and ranks, and the death of a rank. Run as: ranks_and_threads_test.py GFDT MPIEXEC; leaves with 77 without MPI."""

import shutil
import sys

import quick

import rank_grid

GRID = [(1, 1), (2, 1), (3, 1), (8, 1), (2, 2), (1, 3)]
COMMANDS = ("simulate", "jacobian", "score", "calibrate")


class RanksAndThreads(quick.Faults):
    def test_the_same_result_by_any_number_and_the_end_of_all_ranks_with_one(self):
        self.assert_as_wanted(rank_grid, 12, ("kill rank 1 of 2", "kill rank 0 of 3"), grid=GRID, commands=COMMANDS)


if __name__ == "__main__":
    if len(sys.argv) < 3 or not shutil.which(sys.argv[2]):
        quick.leave_out("There is no MPI here.")
    quick.main()
