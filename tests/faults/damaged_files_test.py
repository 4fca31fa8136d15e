"""Some of the damages to files that gfdt has written, and some mutated inputs. Run as: damaged_files_test.py GFDT"""

import quick

import corruption
import mutated_inputs


class DamagedFiles(quick.Faults):
    def test_damage_to_files_of_gfdt_is_noticed_or_harmless(self):
        before = ("finished run: pipe_instead run.json", "finished run: link_to_itself predictive.json",
                  "finished run: change_digit predictive.json 2", "score: change_digit fitted.json 4", "score: pipe_instead", "score: link_to_itself",
                  "page of a calibration: pipe_instead result.json")
        self.assert_as_wanted(corruption, 110, before)

    def test_mutated_inputs_are_taken_or_refused_with_a_sentence(self):
        before = ("data, CSV: EBCDIC", "trajectory, CSV: EBCDIC", "forcing: EBCDIC", "problem, simulate: seed 2,")
        self.assert_as_wanted(mutated_inputs, 350, before)


if __name__ == "__main__":
    quick.main()
