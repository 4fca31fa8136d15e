"""Ways in which a file is damaged: by disks, by power failures, by other programs, by people."""

import os
import random
import shutil


def flip_bit(file, other, draw):
    content = bytearray(file.read_bytes())
    if content:
        content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
    file.write_bytes(content)


def change_digit(file, other, draw):
    """The damage that is hardest to notice: the text is as well formed as before."""
    content = bytearray(file.read_bytes())
    digits = [place for place, byte in enumerate(content) if byte in b"0123456789"]
    if digits:
        place = draw.choice(digits)
        content[place] = draw.choice([byte for byte in b"123456789" if byte != content[place]])
    file.write_bytes(content)


def cut_in_half(file, other, draw):
    file.write_bytes(file.read_bytes()[:file.stat().st_size // 2])


def cut_last_bytes(file, other, draw):
    file.write_bytes(file.read_bytes()[:-3])


def empty(file, other, draw):
    file.write_bytes(b"")


def zeros(file, other, draw):
    file.write_bytes(bytes(file.stat().st_size))


def garbage(file, other, draw):
    file.write_bytes(draw.randbytes(max(file.stat().st_size, 100)))


def other_json(file, other, draw):
    file.write_text('{"format": "of another program", "values": [1, 2, {"a": null}]}\n')


def twice(file, other, draw):
    file.write_bytes(file.read_bytes() * 2)


def delete(file, other, draw):
    file.unlink()


def folder_instead(file, other, draw):
    file.unlink()
    file.mkdir()


def pipe_instead(file, other, draw):
    file.unlink()
    os.mkfifo(file)


def dangling_link(file, other, draw):
    file.unlink()
    file.symlink_to("nowhere-at-all")


def link_to_itself(file, other, draw):
    file.unlink()
    file.symlink_to(file.name)


def swap(file, other, draw):
    kept = file.with_name("kept-for-a-moment")
    file.rename(kept)
    other.rename(file)
    kept.rename(other)


def copy_of_other(file, other, draw):
    shutil.copy(other, file)


DAMAGES = (flip_bit, change_digit, cut_in_half, cut_last_bytes, empty, zeros, garbage, other_json, twice, delete, folder_instead, pipe_instead,
           dangling_link, link_to_itself, swap, copy_of_other)
REPEATED = {flip_bit: 6, change_digit: 6}


def all_damages(files):
    """(damage, file, other file, seed) of every damage to every file."""
    for index, file in enumerate(files):
        other = files[(index + 1) % len(files)]
        for damage in DAMAGES:
            if damage in (swap, copy_of_other) and other == file:
                continue
            for seed in range(1, REPEATED.get(damage, 1) + 1):
                yield damage, file, other, seed


def apply(way, file, other, seed):
    way(file, other, random.Random(f"{file.name} {seed}"))
