"""What counts as a good end of a command, and the classes of bad ones."""

import re

CRASHED, HUNG, WRONG, UNNOTICED = "crashed", "hung", "wrong result", "damage not noticed"
NO_MESSAGE, UNCLEAR, RAW, UNREADABLE = "no message", "message names nothing", "text of a library", "unreadable message"
LEFT_FILES, LEFT_PROCESSES, NOT_RESUMED, STATUS = "left files", "left processes", "cannot be resumed", "wrong status"
HARNESS = "harness error"
BAD = (CRASHED, HUNG, WRONG, UNNOTICED, NO_MESSAGE, UNCLEAR, RAW, UNREADABLE, LEFT_FILES, LEFT_PROCESSES, NOT_RESUMED, STATUS, HARNESS)

LONGEST_MESSAGE = 20_000
OF_LIBRARIES = re.compile(r"json\.exception|std::|basic_string|what\(\)|terminate called|_M_|bad_alloc|bad_optional|bad optional|bad_variant|nlohmann"
                          r"|vector::|\bstoi\b|\bstod\b|filesystem error|Assertion|toml::|core dumped|regex_error|map::at|Segmentation")
# Control characters but the end of a line, and bytes that are not UTF-8.
NOT_TEXT = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


class Fault(Exception):
    def __init__(self, kind, reason):
        super().__init__(f"{kind}: {reason}")
        self.kind, self.reason = kind, reason


def end_of(text, most=400):
    shown = NOT_TEXT.sub(lambda found: f"<{ord(found.group()):02x}>", text.strip())
    return shown if len(shown) <= most else "…" + shown[-most:]


def check_messages(done):
    """Applies to every command, however it ended."""
    if found := OF_LIBRARIES.search(done.err):
        raise Fault(RAW, f"'{found.group()}' in: {end_of(done.err)}")
    if found := NOT_TEXT.search(done.err):
        raise Fault(UNREADABLE, f"character {ord(found.group()):#x} in: {end_of(done.err[:found.end() + 40])}")
    if len(done.err) > LONGEST_MESSAGE:
        raise Fault(UNREADABLE, f"{len(done.err)} characters: {end_of(done.err)}")


def check_end(done, statuses=(0, 1, 2), can_speak=True):
    """Throws unless the command ended by itself with one of the statuses, and, if it can speak, said why where it is not 0."""
    if done.status is None:
        raise Fault(HUNG, f"no end within the time limit: {end_of(done.err)}")
    if done.status < 0 or done.status > 2:
        raise Fault(CRASHED, f"status {done.status}: {end_of(done.err)}")
    check_messages(done)
    if done.status not in statuses:
        raise Fault(STATUS, f"status {done.status}, expected {' or '.join(map(str, statuses))}: {end_of(done.text)}")
    if not can_speak:
        return done
    if done.status == 2 and not done.err.strip() or done.status == 1 and not done.text.strip():
        raise Fault(NO_MESSAGE, f"status {done.status} without a word")
    return done


def check_named(done, *names):
    """Throws unless the message holds one of the names."""
    if not any(name in done.err for name in names):
        raise Fault(UNCLEAR, f"none of {', '.join(map(repr, names))} in: {end_of(done.err)}")
