"""Some of the outputs that cannot be written, limits, and hostile names. Run as: outputs_test.py GFDT"""

import quick

import outputs


class Outputs(quick.Faults):
    def test_outputs_that_cannot_be_written_and_hostile_surroundings(self):
        before = ("standard error closed: bad problem", "standard error full: bad problem", "both closed: models", "both full: calibrate",
                  "argument: simulate linear.toml --seed NAME, escape", "argument: simulate linear.toml --backend NAME, tab",
                  "argument: jacobian linear.toml --score NAME, too long", "argument: report NAME, not UTF-8")
        self.assert_as_wanted(outputs, 130, before)


if __name__ == "__main__":
    quick.main()
