"""Ways in which an input goes wrong between the person or the program that writes it and the reader."""

import gzip
import re

NUMBER = re.compile(rb"(?<![\w.])[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
TOKEN = re.compile(rb"[A-Za-z_]\w*|[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?|[\[\]{}(),:=\"'#*+/^-]|\n")
NAME = re.compile(rb"[A-Za-z_]\w*")
NUMBERS = (b"nan", b"-nan", b"inf", b"-inf", b"1e400", b"-1e400", b"1e308", b"1e-320", b"0", b"-0.0", b"-1", b"99999999999999999999",
           b"-9223372036854775808", b"18446744073709551616", b"2147483648", b"4294967297", b"1e15", b"0x10", b"0b1", b"1_000", b"1.", b".5",
           b"+-1", b"1e", b"null", b"true", b"\"\"",
           b"[]", b"{}", b"1979-05-27", b"1e999999999", b"0." + b"0" * 5000 + b"1", b"9" * 5000)
CONTROLS = (b"\x00", b"\x1b[31m", b"\x07", b"\x08", b"\x7f", b"\r", b"\x0b", b"\xc2\x85", b"\xe2\x80\xae", b"\xe2\x80\xa8", b"\x1b]0;title\x07",
            b"\\u0000", b"\\u001b[2J", b"\\x1b", b"\\n")
NOT_UTF8 = (b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf", b"\xe2\x82", b"\xfe\xff")


def place(content, draw):
    return draw.randrange(len(content) + 1)


def replace_match(pattern, content, draw, by):
    matches = list(pattern.finditer(content))
    if not matches:
        return content + by
    match = draw.choice(matches)
    return content[:match.start()] + by + content[match.end():]


def insert(content, draw, more):
    at = place(content, draw)
    return content[:at] + more + content[at:]


def flip_bytes(content, draw):
    changed = bytearray(content)
    for _ in range(draw.choice((1, 1, 2, 8, 64))):
        if changed:
            changed[draw.randrange(len(changed))] = draw.randrange(256)
    return bytes(changed)


def flip_bit_near_start(content, draw):
    changed = bytearray(content)
    if changed:
        changed[draw.randrange(min(len(changed), 600))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def delete_span(content, draw):
    at = place(content, draw)
    return content[:at] + content[at + draw.choice((1, 4, 40, 400)):]


def duplicate_span(content, draw):
    at, size = place(content, draw), draw.choice((1, 10, 100, 1000))
    return content[:at] + content[at:at + size] * draw.choice((2, 3, 50)) + content[at + size:]


def swap_tokens(content, draw):
    tokens = list(TOKEN.finditer(content))
    if len(tokens) < 2:
        return content
    first, second = sorted(draw.sample(tokens, 2), key=lambda token: token.start())
    return (content[:first.start()] + second.group() + content[first.end():second.start()] + first.group() + content[second.end():])


def other_number(content, draw):
    return replace_match(NUMBER, content, draw, draw.choice(NUMBERS))


def many_other_numbers(content, draw):
    by = draw.choice(NUMBERS)
    return NUMBER.sub(lambda match: by if draw.random() < 0.3 else match.group(), content)


def other_token(content, draw):
    return replace_match(TOKEN, content, draw, draw.choice([match.group() for match in TOKEN.finditer(content)] or [b"x"]))


def remove_token(content, draw):
    return replace_match(TOKEN, content, draw, b"")


def long_name(content, draw):
    return replace_match(NAME, content, draw, draw.choice((b"n", b"\xc3\xa9", b"x_")) * draw.choice((300, 5000, 200_000)))


def deep_nesting(content, draw):
    opening = draw.choice((b"[", b"{\"a\":", b"(", b"{a=", b"sin(", b"-", b"a."))
    return replace_match(TOKEN, content, draw, opening * draw.choice((50, 1000, 100_000)))


def control_character(content, draw):
    return insert(content, draw, draw.choice(CONTROLS))


def control_character_in_name(content, draw):
    return replace_match(NAME, content, draw, b"na" + draw.choice(CONTROLS) + b"me")


def not_utf8(content, draw):
    return insert(content, draw, draw.choice(NOT_UTF8))


def remove_line(content, draw):
    lines = content.split(b"\n")
    lines.pop(draw.randrange(len(lines)))
    return b"\n".join(lines)


def repeat_line(content, draw):
    lines = content.split(b"\n")
    at = draw.randrange(len(lines))
    return b"\n".join(lines[:at] + [lines[at]] * draw.choice((2, 3, 1000)) + lines[at:])


def swap_lines(content, draw):
    lines = content.split(b"\n")
    i, j = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return b"\n".join(lines)


def other_columns(content, draw):
    lines = content.split(b"\n")
    at = draw.randrange(len(lines))
    lines[at] = draw.choice((lines[at] + b",1", lines[at].rpartition(b",")[0], lines[at] + b"," * 1000, lines[at].replace(b",", b";"),
                             lines[at] + b",,", b'"' + lines[at], lines[at].replace(b",", b"\t")))
    return b"\n".join(lines)


def cut(content, draw):
    return content[:place(content, draw)]


def endless_line(content, draw):
    return insert(content, draw, draw.choice((b"a", b"1", b" ", b",", b"#")) * 1_000_000)


# What the whole file becomes; not by chance.
WHOLE = {
    "empty": lambda content: b"", "one byte": lambda content: content[:1], "spaces": lambda content: b" \n" * 100,
    "carriage returns": lambda content: content.replace(b"\n", b"\r\n"), "old carriage returns": lambda content: content.replace(b"\n", b"\r"),
    "byte order mark": lambda content: b"\xef\xbb\xbf" + content, "UTF-16": lambda content: content.decode("latin-1").encode("utf-16"),
    "UTF-32": lambda content: content.decode("latin-1").encode("utf-32"), "EBCDIC": lambda content: content.decode("latin-1").encode("cp037"),
    "latin-1": lambda content: content + "\n# é ä\n".encode("latin-1"), "compressed": gzip.compress, "twice": lambda content: content * 2,
    "zeros": lambda content: bytes(len(content)), "no end of line": lambda content: content.rstrip(b"\n"), "backwards": lambda content: content[::-1],
    "HTML": lambda content: b"<!DOCTYPE html><html><body>404 Not Found</body></html>\n",
    "a program": lambda content: b"\x7fELF\x02\x01\x01" + bytes(5000),
    "JSON null": lambda content: b"null", "JSON list": lambda content: b"[]", "JSON object": lambda content: b"{}",
    "JSON number": lambda content: b"1e400",
    "a million brackets": lambda content: b"[" * 1_000_000, "a million objects": lambda content: b'{"a":' * 1_000_000,
    "nan everywhere": lambda content: NUMBER.sub(b"nan", content), "zero everywhere": lambda content: NUMBER.sub(b"0", content),
    "no digits": lambda content: re.sub(rb"\d", b"", content), "commas to points": lambda content: content.replace(b",", b"."),
    "points to commas": lambda content: content.replace(b".", b","),
}
RANDOM = (flip_bytes, flip_bit_near_start, delete_span, duplicate_span, swap_tokens, other_number, other_number, many_other_numbers, other_token,
          remove_token, long_name, deep_nesting, control_character, control_character_in_name, not_utf8, remove_line, repeat_line, swap_lines,
          other_columns, cut, endless_line)
