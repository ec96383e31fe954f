# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Faults in what -instrument inserts, by group; as in faults.py."""
import re

from subject import Nothing

FAULTS = []  # (group, name, words of the message, function)

DIFFERENT = "is not that of"
NOP = 0x90


def fault(group, words):
    def add(function):
        FAULTS.append((group, function.__name__, words.split("|"), function))
        return function
    return add


def own(function):
    return not function.startswith(("_start", "__graupel", "_init", "_fini", "deregister",
                                    "register", "frame_dummy", "__do_global"))


def decimal(text):
    """Some versions of llvm-objdump write numbers in hexadecimal."""
    return re.sub(r"0x[0-9a-f]+", lambda number: str(int(number[0], 16)), text)


def program(f):
    """All instructions of the program's functions: (place in file, size, text)."""
    return [(f.offset(a), s, decimal(f"{m} {o}".strip())) for a, s, m, o, function in f.code
            if own(function)]


def sequences(f, *starts):
    """Where instructions begin with these texts, one behind the other."""
    code = program(f)
    found = [code[i:i + len(starts)] for i in range(len(code) - len(starts) + 1)
             if all(text.startswith(start)
                    for (_, _, text), start in zip(code[i:], starts))]
    if not found:
        raise Nothing(" ".join(starts))
    return found


def blank(f, instruction):
    place, size, _ = instruction
    f.data[place:place + size] = bytes([NOP]) * size


# What keeps the flags around a counter.
SAVED = ("leaq -128(%rsp)", "pushq %rax", "lahf", "seto")


def saved(f):
    """The instructions of a counter that saves the flags, from the first to the last."""
    code = program(f)
    starts = {s[0][0] for s in sequences(f, *SAVED)}
    for i, (place, _, _) in enumerate(code):
        if place in starts:
            end = next(j for j in range(i, i + 12) if code[j][2].startswith("leaq 128(%rsp)"))
            return code[i:end + 1]
    raise Nothing("saved")


def part(piece, start):
    return next(i for i in piece if i[2].startswith(start))


def counters(f):
    """Increments of counters by which no flags are saved."""
    code = program(f)
    return [i for i, (_, _, text) in enumerate(code)
            if text.startswith("incq") and "(%rip)" in text
            and not code[i - 1][2].startswith("seto")
            and not code[i - 2][2].startswith("seto")]


def branch_and_counter(f):
    """A counter that is right behind a branch, and the branch."""
    code = program(f)
    for i in counters(f):
        if code[i - 1][2].startswith("j") and not code[i - 1][2].startswith("jmp"):
            return code[i - 1:i + 1]
    raise Nothing("counter behind a branch")


def sites(f):
    """Code that records a target in a register: its instructions up to the call."""
    return [s for s in sequences(f, "pushq %r11", "pushq %", "leaq", "callq", "popq %r11")]


# ---- flags

@fault("flags", "overwrites CF, PF, AF, ZF, SF at")
def flags_not_saved(f, b, v):
    blank(f, part(saved(f), "lahf"))


@fault("flags", "overwrites CF, PF, AF, ZF, SF at")
def flags_not_restored(f, b, v):
    blank(f, part(saved(f), "sahf"))


@fault("flags", "overwrites CF, PF, AF, ZF, SF, OF at")
def overflow_not_saved(f, b, v):
    blank(f, part(saved(f), "seto"))


@fault("flags", "overwrites CF, PF, AF, ZF, SF, OF at")
def overflow_not_restored(f, b, v):
    place, size, _ = part(saved(f), "addb")
    f.data[place + size - 1] = 0x7e


@fault("flags", "overwrites CF, PF, AF, ZF, SF, OF at")
def another_condition_saved(f, b, v):
    f.data[part(saved(f), "seto")[0] + 1] = 0x92


@fault("flags", "overwrites CF")
def flags_not_pushed(f, b, v):
    before, behind = (sequences(f, *s)[0][0] for s in (("pushfq", "pushq %r11"), ("popfq",)))
    blank(f, before)
    blank(f, behind)


@fault("flags", "overwrites PF, AF, ZF, SF, OF at")
def counter_behind_comparison(f, b, v):
    (jump, size, _), (place, further, _) = branch_and_counter(f)
    old = bytes(f.data[jump:place + further])
    f.data[jump:place + further] = old[size:] + old[:size]
    f.add("i", jump + further - 4, size)
    form, width = ("b", 1) if size == 2 else ("i", 4)
    f.add(form, place + further - width, -further)


# ---- registers

@fault("registers", "overwrites RAX at")
def another_register_saved(f, b, v):
    f.data[part(saved(f), "pushq")[0]] = 0x51


@fault("registers", "overwrites RAX, RCX at")
def restored_into_another(f, b, v):
    f.data[part(saved(f), "popq")[0]] = 0x59


@fault("registers", "overwrites R11 at")
def r11_not_saved(f, b, v):
    site = sites(f)[0]
    blank(f, site[0])
    blank(f, site[4])


@fault("registers", "overwrites R10, R11 at")
def r11_restored_into_another(f, b, v):
    f.data[sites(f)[0][4][0] + 1] = 0x5a


# ---- stack

@fault("stack", "overwrites the red zone")
def red_zone(f, b, v):
    piece = saved(f)
    f.data[piece[0][0] + 4] = 0xc0
    f.put("i", piece[-1][0] + piece[-1][1] - 4, 0x40)


@fault("stack", "does not restore the stack pointer")
def stack_pointer_elsewhere(f, b, v):
    piece = saved(f)
    f.put("i", piece[-1][0] + piece[-1][1] - 4, 0x78)


@fault("stack", "does not restore the stack pointer")
def stack_not_restored(f, b, v):
    blank(f, saved(f)[-1])


@fault("stack", DIFFERENT)
def stack_of_the_program(f, b, v):
    f.data[saved(f)[0][0] + 4] = 0x10


# ---- counters

def counter(f):
    """A counter beside which no flags are saved, from its prefix on: where it is; its end."""
    place, size, _ = program(f)[counters(f)[0]]
    return place, place + size


@fault("counters", "counts where no counter is")
def counter_in_data(f, b, v):
    place, end = counter(f)
    address = next(a for a, *_ in f.code if f.offset(a) == place) + end - place
    f.put("i", end - 4, f.find(".data")[1] - address)


@fault("counters", "counts where no counter is")
def counter_between_counters(f, b, v):
    f.add("i", counter(f)[1] - 4, 4)


@fault("counters", "counts where no counter is")
def counter_before_all(f, b, v):
    place, end = counter(f)
    address = next(a for a, *_ in f.code if f.offset(a) == place) + end - place
    f.put("i", end - 4, f.find(".graupel.data")[1] - address)


@fault("counters", "counts by FS")
def counter_by_another_segment(f, b, v):
    place, _ = counter(f)
    if f.data[place] != 0x65:
        raise Nothing("segment")
    f.data[place] = 0x64


@fault("counters", DIFFERENT)
def counted_down(f, b, v):
    f.data[counter(f)[1] - 5] |= 8


# ---- targets

@fault("targets", "is not where the code")
def another_target(f, b, v):
    f.data[sites(f)[0][1][0]] ^= 3


@fault("targets", "gives the runtime no place to count at")
def site_in_data(f, b, v):
    place, size, _ = sites(f)[0][2]
    address = next(a for a, *_ in f.code if f.offset(a) == place) + size
    f.put("i", place + size - 4, f.find(".data")[1] - address)


@fault("targets", "is not where the code")
def target_on_the_stack(f, b, v):
    place, size, text = next(s[1] for s in sequences(f, "pushq %r11", "pushq")
                             if "(%rsp)" in s[1][2])
    f.add("b", place + size - 1, 8)


# ---- the code beside

@fault("code", DIFFERENT)
def instruction_lost(f, b, v):
    code = program(f)
    i = next(i for i in counters(f) if code[i + 1][2].startswith(("mov", "add", "sub", "cmp")))
    blank(f, code[i + 1])


@fault("code", DIFFERENT)
def branch_inverted(f, b, v):
    (place, size, _), _ = branch_and_counter(f)
    f.data[place if size == 2 else place + 1] ^= 1


# ---- the runtime

def runtime(f, *sequence):
    """Where the runtime has these bytes."""
    _, _, offset, size = f.find(".graupel.text")
    found, at = [], offset - 1
    while (at := f.data.find(bytes(sequence), at + 1, offset + size)) >= 0:
        found.append(at)
    if not found:
        raise Nothing("runtime")
    return found


@fault("runtime", "overwrites RAX, RCX at")
def routine_restores_another(f, b, v):
    for place in runtime(f, 0x58, 0xc2, 8, 0):  # popq %rax; retq $8
        f.data[place] = 0x59


@fault("runtime", "end differently|does not restore the stack pointer")
def routine_leaves_the_target(f, b, v):
    for place in runtime(f, 0x58, 0xc2, 8, 0):
        f.data[place + 2] = 0


@fault("runtime", "returns to somewhere else")
def routine_takes_too_little(f, b, v):
    for place in runtime(f, 0x5e, 0x5a, 0x59, 0x58, 0xc2, 8, 0):
        f.data[place] = NOP


@fault("runtime", DIFFERENT + "|leads to no function|no instruction")
def start_goes_elsewhere(f, b, v):
    # cmpq $0, (%r11); je; addq (%r11), %r11; behind a leaq of the slot.
    place = runtime(f, 0x49, 0x83, 0x3b, 0)[0]
    slot = place + f.get("i", place - 4)
    f.add("Q", slot, 4)
