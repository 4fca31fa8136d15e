"""SIGKILL at every system call that touches a file: the work can be resumed or repeated, and the result is the same.

A process that is killed when it enters a call has made all calls before it, so that the calls together are all states in which a run can
be left.
"""

import signal

import system_calls
from campaign import Case, Skipped
from results import differences, files_of, read_json, without_cost
from scenarios import SCENARIOS
from verdict import LEFT_FILES, NOT_RESUMED, STATUS, WRONG, Fault, check_end, end_of

SAME = "same result"
ENDED = "ended before the call"


def check_same(found, wanted):
    if different := list(differences(found, wanted)):
        raise Fault(WRONG, "; ".join(different[:3]))


def check_whole_files(box, scenario, wanted):
    """A file is there as a whole or not at all, also before the work is repeated."""
    for name in scenario.written:
        if (box.work / name).exists():
            check_same(without_cost(read_json(box.work / name)), wanted[name])


def check_repeated(box, scenario, wanted, of_statuses):
    again = box.run(*scenario.repeat(box))
    try:
        check_end(again, of_statuses)
    except Fault as fault:
        raise Fault(NOT_RESUMED if fault.kind == STATUS else fault.kind, fault.reason) from None
    if "run" in scenario.command:
        check_no_temporary_files(box)
    check_same(scenario.outcome(box), wanted)


def check_no_temporary_files(box):
    if left := [name for name in files_of(box.work) if ".part" in name]:
        raise Fault(LEFT_FILES, ", ".join(left))


def reference(campaign, scenario):
    """The calls of the command and its outcome without a fault."""
    box = campaign.sandbox(f"reference-{scenario.name}")
    scenario.prepare(campaign, box)
    done, places = system_calls.places(box, *scenario.command)
    check_end(done, (0, 1))
    return places, scenario.outcome(box), done.status


def killed(campaign, scenario, place, wanted, status):
    def run(box):
        scenario.prepare(campaign, box)
        done = box.run(*scenario.command, through=system_calls.killed_at(place))
        if done.status not in (-signal.SIGKILL, 128 + signal.SIGKILL):
            if done.status != status:
                raise Fault(STATUS, f"status {done.status}: {end_of(done.text)}")
            return ENDED
        check_whole_files(box, scenario, wanted)
        check_repeated(box, scenario, wanted, (status,))
        return SAME
    return Case(f"{scenario.name}: {place} ({place.what})", run)


def cases(campaign, scenarios=SCENARIOS):
    if reason := system_calls.why_not():
        raise Skipped(reason)
    for scenario in scenarios:
        places, wanted, status = reference(campaign, scenario)
        for place in campaign.some(places):
            yield killed(campaign, scenario, place, wanted, status)
