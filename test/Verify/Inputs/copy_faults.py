# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The faults that -verify has to find beside copies: nothing of the original may differ but
jumps in beginnings, each to the copy of its function."""
from subject import Nothing

FAULTS = []  # (group, name, words of the message, function)
WORDS = ["beside copies", "is not that of the input", "copy of its function", "no instruction", "other instruction", "differs"]
JUMP, JUMP_SIZE = 0xe9, 5


def fault(function):
    FAULTS.append(("copies", function.__name__, WORDS, function))
    return function


def text(b):
    _, address, offset, size = b.find(".text")
    return address, offset, size


def patches(f, b):
    """Where in the file jumps are that the input does not have."""
    _, at, size = text(b)
    end, found = at + size, []
    while at < end:
        if f.data[at] == b.data[at]:
            at += 1
            continue
        # The first bytes of a jump may be those that were there.
        begin = next(p for p in range(at, at - JUMP_SIZE, -1) if f.data[p] == JUMP)
        found.append(begin)
        at = begin + JUMP_SIZE
    if len(found) < 2:
        raise Nothing("patch")
    return found


def target(f, patch):
    return patch + JUMP_SIZE + f.get("i", patch + 1)


@fault
def behind_patch(f, b, v):
    f.add("B", patches(f, b)[0] + JUMP_SIZE, 1)


@fault
def between_functions(f, b, v):
    _, offset, size = text(b)
    places = {p + i for p in patches(f, b) for i in range(JUMP_SIZE)}
    nop = next(p for p in range(offset, offset + size)
               if p not in places and f.data[p:p + 2] == b"\xc3\x0f")  # ret, nop
    f.put("B", nop + 1, 0xcc)


@fault
def into_an_instruction(f, b, v):
    f.add("i", patches(f, b)[0] + 1, 1)


@fault
def to_the_copy_of_another(f, b, v):
    one, other = patches(f, b)[:2]
    f.put("i", one + 1, target(f, other) - one - JUMP_SIZE)


@fault
def patched_twice(f, b, v):
    """A function without a copy jumps to one of another."""
    first = patches(f, b)[0]
    main = f.symbol("left")[4]
    at = f.offset(main)
    f.put("B", at, JUMP)
    f.put("i", at + 1, target(f, first) - at - JUMP_SIZE)
