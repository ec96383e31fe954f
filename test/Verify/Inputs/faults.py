# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The faults that -verify has to find, by group. Each takes the output, the input, and a
function that says what -verify makes of the output as it is now."""
import struct

from subject import Nothing

FAULTS = []  # (group, name, words of the message, function)

PHDR, INTERP, DYNAMIC, LOAD = 6, 3, 2, 1
EH_FRAME, STACK, RELRO, PROPERTY = 0x6474e550, 0x6474e551, 0x6474e552, 0x6474e553
DIFFERENT = "is not that of"


def fault(group, words):
    def add(function):
        FAULTS.append((group, function.__name__, words.split("|"), function))
        return function
    return add


def some_byte(f, places, words, verify):
    """Changes one byte after the other until the words are said."""
    for place in places:
        old = f.data[place]
        f.data[place] = old + 1 & 0xff
        if words in verify(f):
            return
        f.data[place] = old
    raise Nothing(words)


# ---- headers

@fault("headers", "entry point|" + DIFFERENT)
def entry(f, b, v):
    f.add("Q", 24, 1)


@fault("headers", "entry point|" + DIFFERENT)
def entry_of_another(f, b, v):
    f.put("Q", 24, f.symbol("main")[4])


@fault("headers", "is the file complete")
def cut(f, b, v):
    del f.data[-200:]


@fault("headers", "program headers|not in the file")
def headers_elsewhere(f, b, v):
    f.add("Q", f.segment(PHDR) + 8, 8)


@fault("headers", ".interp")
def interpreter_longer(f, b, v):
    f.add("Q", f.segment(INTERP) + 40, 8)


@fault("headers", "of type 0x2|dynamic")
def dynamic_elsewhere(f, b, v):
    f.add("Q", f.segment(DYNAMIC) + 16, 16)


@fault("headers", "program headers are in several segments")
def headers_in_two_segments(f, b, v):
    header = f.note()
    f.put("I", header, LOAD)
    for field, value in ((8, 0), (16, 1 << 40), (24, 1 << 40), (32, 4096), (40, 4096), (48, 4096)):
        f.put("Q", header + field, value)


@fault("headers", "behind the sections")
def more_appended(f, b, v):
    f.data.extend(b"payload")


@fault("headers", "of type 0x6474e552")
def relro_shorter(f, b, v):
    f.add("Q", f.segment(RELRO) + 40, -8)


@fault("headers", "of type 0x6474e551")
def stack_executable(f, b, v):
    f.add("I", f.segment(STACK) + 4, 1)


@fault("headers", "segments of type 0x4")
def note_lost(f, b, v):
    f.put("I", f.note(), 0)


@fault("headers", "of type 0x4|note")
def note_elsewhere(f, b, v):
    f.add("Q", f.note() + 8, 4)


@fault("headers", "eh_frame|0x6474e550")
def index_elsewhere(f, b, v):
    f.add("Q", f.segment(EH_FRAME) + 8, 4)


@fault("headers", "can be written to")
def code_writable(f, b, v):
    f.put("I", f.segment(LOAD, 1) + 4, 7)


@fault("headers", "overlaps")
def segments_overlap(f, b, v):
    f.put("Q", f.segment(LOAD) + 40, 1 << 40)


@fault("headers", "contradicts its place|not inside")
def segment_misplaced(f, b, v):
    f.add("Q", f.segment(LOAD, 1) + 8, 8)


@fault("headers", "larger in the file")
def segment_larger_in_file(f, b, v):
    f.put("Q", f.segment(LOAD, 1) + 40, 1)


@fault("headers", "is not inside of the file")
def section_outside(f, b, v):
    f.put("Q", f.header(".text") + 24, len(f.data) + 4096)


@fault("headers", "overlaps|is not inside of|contradicts")
def section_overlap(f, b, v):
    f.add("Q", f.header(".text") + 32, f.find(".text")[3] * 16)


@fault("headers", "refers to a section of the wrong type")
def section_link(f, b, v):
    f.put("I", f.header(".symtab") + 40, f.find(".text")[0])


@fault("headers", "which does not exist")
def section_link_missing(f, b, v):
    f.put("I", f.header(".symtab") + 40, 999)


@fault("headers", "not a power of two|not aligned")
def section_alignment(f, b, v):
    f.put("Q", f.header(".text") + 48, 3)


@fault("headers", "symbols of the size")
def section_entry_size(f, b, v):
    f.put("Q", f.header(".symtab") + 56, 16)


@fault("headers", "more local symbols")
def section_locals(f, b, v):
    f.put("I", f.header(".symtab") + 44, 1 << 24)


@fault("headers", "build-id")
def build_id(f, b, v):
    f.data[f.find(".note.gnu.build-id")[2] + 16] ^= 1


# ---- symbols

@fault("symbols", "symbol main was lost")
def symbol_lost(f, b, v):
    f.put("I", f.symbol("main")[0], 0)


@fault("symbols", "holds symbol")
def symbol_outside(f, b, v):
    f.put("Q", f.symbol("main")[0] + 8, f.find(".dynamic")[1])


@fault("symbols", DIFFERENT + "|calls|branches to|is no instruction")
def symbols_swapped(f, b, v):
    f.swap(f.symbol("main")[0] + 8, f.symbol("_Z6deeperl")[0] + 8, 8)


@fault("symbols", "is not at")
def data_symbol_moved(f, b, v):
    f.add("Q", f.symbol("Counters", 1)[0] + 8, 4)


@fault("symbols", "another size")
def data_symbol_resized(f, b, v):
    f.add("Q", f.symbol("Counters", 1)[0] + 16, 4)


@fault("symbols", "loader's symbol|not as in the input")
def loaders_name(f, b, v):
    f.add("I", f.find(".dynsym")[2] + 24, 1)


@fault("symbols", "loader's symbol")
def loaders_binding(f, b, v):
    f.data[f.find(".dynsym")[2] + 24 + 4] ^= 0x30


@fault("symbols", "are one function")
def loaders_symbols_joined(f, b, v):
    _, _, offset, size = f.find(".dynsym")
    exported = [s for s in range(offset, offset + size, 24)
                if f.get("B", s + 4) & 15 == 2 and f.get("H", s + 6) and f.get("Q", s + 16)]
    if len(exported) < 2:
        raise Nothing("two exported functions")
    f.put("Q", exported[0] + 8, f.get("Q", exported[1] + 8))


@fault("symbols", "does not exist")
def symbol_section(f, b, v):
    f.put("H", f.symbol("main")[0] + 6, 999)


# ---- dynamic section and relocations

@fault("relocations", "DT_INIT")
def init(f, b, v):
    f.add("Q", f.dynamic(12) + 8, 1)


@fault("relocations", "DT_INIT_ARRAY|the pointer at|" + DIFFERENT)
def init_array(f, b, v):
    array = f.get("Q", f.dynamic(25) + 8)
    for place in f.relocations(8):
        if f.get("Q", place) == array:
            f.add("Q", place + 16, 1)
            return
    raise Nothing("DT_INIT_ARRAY")


@fault("relocations", "no entry|needs|dynamic")
def needed_lost(f, b, v):
    f.put("Q", f.dynamic(1), 0x70000000)


@fault("relocations", "dynamic")
def dynamic_value(f, b, v):
    f.add("Q", f.dynamic(2) + 8, -24)


@fault("relocations", "dynamic|symbols")
def dynamic_symbols(f, b, v):
    f.add("Q", f.dynamic(6) + 8, 24)


@fault("relocations", "is not inside of a section")
def relocation_place(f, b, v):
    f.put("Q", f.relocations(8)[0], 1 << 40)


@fault("relocations", "in no segment")
def relocation_target(f, b, v):
    f.put("Q", f.relocations(8)[0] + 16, 1 << 40)


@fault("relocations", "no longer relocates")
def relocation_lost(f, b, v):
    f.put("Q", f.relocations(8)[-1] + 8, 0)


@fault("relocations", "no longer relocates|relocates")
def relocation_elsewhere(f, b, v):
    f.add("Q", f.relocations(6)[0], 8)


@fault("relocations", "and not as in the input")
def relocation_type(f, b, v):
    f.put("I", f.relocations(6)[0] + 8, 1)


@fault("relocations", "and not as in the input")
def relocation_symbol(f, b, v):
    at = f.relocations(6)[0] + 12
    f.put("I", at, 1 if f.get("I", at) != 1 else 2)


@fault("relocations", "and not as in the input")
def relocation_addend(f, b, v):
    f.add("Q", f.relocations(6)[0] + 16, 8)


@fault("relocations", DIFFERENT + "|no instruction begins")
def pointers_swapped(f, b, v):
    """Entries of a constant table of functions."""
    table = f.symbol("_ZL5Table", 1)[4]
    places = [p for p in f.relocations(8) if table <= f.get("Q", p) < table + 32]
    if len(places) < 2:
        raise Nothing("table of functions")
    f.swap(places[0] + 16, places[1] + 16, 8)


# ---- PLT

@fault("plt", "asks for relocation")
def lazy_relocations_swapped(f, b, v):
    """As a writer does that sorts them by offset."""
    _, _, offset, size = f.find(".rela.plt")
    f.swap(offset, offset + size - 24, 24)


@fault("plt", "asks for relocation|of section|branches to")
def lazy_number(f, b, v):
    _, _, offset, size = f.find(".plt")
    for place in range(offset + 16, offset + size):
        if f.data[place] == 0x68:
            f.put("I", place + 1, f.get("I", place + 1) ^ 1)
            return
    raise Nothing("push")


@fault("plt", "of section|branches to")
def stub_elsewhere(f, b, v):
    _, _, offset, size = f.find(".plt")
    for place in range(offset + 16, offset + size):
        if f.data[place:place + 2] == b"\xff\x25":
            f.add("i", place + 2, 8)
            return
    raise Nothing("stub")


@fault("plt", "of section|asks for relocation")
def lazy_place(f, b, v):
    f.add("Q", f.find(".got.plt")[2] + 24, 16)


@fault("plt", "instead of")
def other_stub(f, b, v):
    _, plt, _, size = f.find(".plt")
    for place, address, length, operands in f.instructions(r"callq 0x[0-9a-f]+ .*"):
        target = address + 5 + f.get("i", place + 1)
        if plt < target < plt + size:
            f.add("i", place + 1, 16 if target + 32 <= plt + size else -16)
            return
    raise Nothing("call of a stub")


# ---- unwind records

@fault("unwind", "not sorted")
def index_unsorted(f, b, v):
    _, offset, count = f.index()
    f.swap(offset + 12, offset + 12 + 8 * (count - 1), 8)


@fault("unwind", "has no record")
def index_wrong(f, b, v):
    f.add("i", f.index()[1] + 16, 4)


def leave_out(f, code):
    """Takes the record of the code at an address out of the index."""
    address, offset, count = f.index()
    entries = [f.data[offset + 12 + 8 * i:offset + 20 + 8 * i] for i in range(count)]
    kept = [e for e in entries if address + struct.unpack("<i", e[:4])[0] != code]
    f.data[offset + 12:offset + 12 + 8 * len(kept)] = b"".join(kept)
    f.put("I", offset + 8, len(kept))


@fault("unwind", "leaves out main")
def index_incomplete(f, b, v):
    leave_out(f, f.symbol("main")[4])


@fault("unwind", "leaves out the code")
def index_without_plt(f, b, v):
    leave_out(f, f.find(".plt")[1])


@fault("unwind", "more entries than bytes")
def index_too_long(f, b, v):
    f.put("I", f.index()[1] + 8, 1 << 28)


@fault("unwind", "which is not code")
def record_range(f, b, v):
    f.put("I", f.record("main")[0] + 12, 0x7fffffff)


@fault("unwind", "has no unwind record|has no record")
def record_short(f, b, v):
    f.put("I", f.record("main")[0] + 12, 4)


@fault("unwind", "not inside of it")
def record_length(f, b, v):
    f.put("I", f.record("main")[0], 0x7ffffff0)


def program(f, name):
    place, _ = f.record(name)
    return range(place + 17 + f.data[place + 16], place + 4 + f.get("I", place))


@fault("unwind", "the unwind state at")
def frame_size(f, b, v):
    """The operand of a DW_CFA_def_cfa_offset."""
    for place in program(f, "main"):
        if f.data[place] == 0x0e:
            f.data[place + 1] += 8
            if "the unwind state at" in v(f):
                return
            f.data[place + 1] -= 8
    raise Nothing("frame size")


@fault("unwind", "the unwind state at")
def saved_register(f, b, v):
    """DW_CFA_offset of another register."""
    for place in program(f, "main"):
        if f.data[place] in (0x83, 0x86, 0x8c, 0x8d, 0x8e, 0x8f):
            f.data[place] ^= 1
            return
    raise Nothing("saved register")


@fault("unwind", "the unwind state at")
def saved_place(f, b, v):
    """DW_CFA_offset to another place."""
    for place in program(f, "main"):
        if f.data[place] in (0x83, 0x86, 0x8c, 0x8d, 0x8e, 0x8f):
            f.data[place + 1] += 1
            return
    raise Nothing("saved register")


@fault("unwind", "the unwind state at|is cut off|restores a state|unknown")
def row_late(f, b, v):
    """The last rows before a call come behind it."""
    for place in program(f, "_Z4picklll"):
        if f.data[place] & 0xc0 == 0x40:
            old = f.data[place]
            f.data[place] = 0x7f
            if "the unwind state at" in v(f):
                return
            f.data[place] = old
    raise Nothing("row")


@fault("unwind", "the unwind state at")
def row_between_calls(f, b, v):
    """A row of the prologue begins one byte late; all others are where they were."""
    for name in ("main", "_Z4picklll"):
        advances = [place for place in program(f, name) if f.data[place] & 0xc0 == 0x40]
        for one, next_one in zip(advances[:3], advances[1:3]):
            if f.data[next_one] & 0x3f < 2:
                continue
            f.data[one] += 1
            f.data[next_one] -= 1
            if "the unwind state at" in v(f):
                return
            f.data[one] -= 1
            f.data[next_one] += 1
    raise Nothing("row")


@fault("unwind", "the unwind state at")
def row_of_another(f, b, v):
    """A record with the instructions of nothing: as if there were no frame."""
    for place in program(f, "main"):
        f.data[place] = 0


# ---- exception tables

@fault("exceptions", "landing pad|" + DIFFERENT)
def landing_pad(f, b, v):
    _, _, offset, size = f.find(".gcc_except_table")
    some_byte(f, range(offset, offset + size), "landing pad", v)


@fault("exceptions", "call site")
def call_site(f, b, v):
    _, _, offset, size = f.find(".gcc_except_table")
    some_byte(f, range(offset, offset + size), "call site", v)


CATCHES = "_Z6caughtlllRi"


@fault("exceptions", "continues in the caller")
def landing_pads_lost(f, b, v):
    """An empty table where there was a full one."""
    for site in f.sites(CATCHES)[0]:
        f.set_field(site[2], 0)


@fault("exceptions", "continues in the caller")
def table_lost(f, b, v):
    f.put("i", f.lsda(CATCHES)[0], 0)


@fault("exceptions", "continues in the caller")
def promise_lost(f, b, v):
    """A noexcept function without its table."""
    f.put("i", f.lsda("_Z8promisedl")[0], 0)


@fault("exceptions", "ends the program|cuts an instruction")
def call_not_covered(f, b, v):
    for site in f.sites(CATCHES)[0]:
        if site[2][2]:
            f.set_field(site[1], 1)
            return
    raise Nothing("call site")


@fault("exceptions", "by other types|landing pad|continues|table")
def tables_swapped(f, b, v):
    a, b = f.lsda(CATCHES), f.lsda("_Z5outerlllRi")
    f.put("i", a[0], f.get("i", a[0]) + b[1] - a[1])


@fault("exceptions", "by other types")
def cleanup_only(f, b, v):
    for site in f.sites(CATCHES)[0]:
        if site[3][2]:
            f.set_field(site[3], 0)
            return
    raise Nothing("action")


@fault("exceptions", "by other types")
def type_changed(f, b, v):
    _, types = f.sites(CATCHES)
    if not types:
        raise Nothing("types")
    f.add("i", types - 4, 8)


@fault("exceptions", DIFFERENT + "|landing pad")
def other_landing_pad(f, b, v):
    for site in f.sites(CATCHES)[0]:
        if site[2][2]:
            f.set_field(site[2], site[2][2] - 3)
            return
    raise Nothing("landing pad")


# ---- jump tables

def moved_table(f):
    """A table that was written anew: its place, the number of entries."""
    for place, address, size, operands in f.instructions(r"leaq .*\(%rip\), %r.*",
                                                         ("_Z4picklll",)):
        table = address + size + f.get("i", place + 3)
        if abs(f.get("i", f.offset(table))) < 1 << 24 and f.get("i", f.offset(table)):
            return place + 3, f.offset(table)
    raise Nothing("table")


@fault("tables", DIFFERENT)
def entries_swapped(f, b, v):
    _, table = moved_table(f)
    if f.get("i", table) == f.get("i", table + 4):
        raise Nothing("different entries")
    f.swap(table, table + 4, 4)


@fault("tables", DIFFERENT + "|no instruction")
def entry_inside(f, b, v):
    f.add("i", moved_table(f)[1] + 8, 1)


@fault("tables", DIFFERENT)
def last_entry(f, b, v):
    _, table = moved_table(f)
    f.put("i", table + 24, f.get("i", table))


@fault("tables", DIFFERENT)
def table_elsewhere(f, b, v):
    f.add("i", moved_table(f)[0], 4)


@fault("tables", "the pointer at|" + DIFFERENT)
def absolute_entry(f, b, v):
    """A pointer of a table that stayed where it was and was filled anew."""
    _, _, offset, size = b.find(".rela.rodata")
    for place in range(offset, offset + size, 24):
        where, kind = struct.unpack_from("<QI", b.data, place)
        if kind == 1 and b.get("Q", b.offset(where)) != f.get("Q", f.offset(where)):
            f.add("Q", f.offset(where), 1)
            return
    raise Nothing("table")


# ---- branches

CONDITIONAL = r"j(e|ne|a|b|ae|be|l|g|le|ge|s|ns) .*"


def opcode(f, place):
    """Where the byte with the condition is."""
    return place + 1 if f.data[place] == 0x0f else place


@fault("branches", DIFFERENT)
def branch_inverted(f, b, v):
    f.data[opcode(f, f.instructions(CONDITIONAL)[0][0])] ^= 1


@fault("branches", DIFFERENT)
def branch_on_another_condition(f, b, v):
    f.data[opcode(f, f.instructions(CONDITIONAL)[0][0])] ^= 6


@fault("branches", DIFFERENT)
def branch_removed(f, b, v):
    place, _, size, _ = f.instructions(CONDITIONAL)[0]
    f.data[place:place + size] = b"\x90" * size


@fault("branches", DIFFERENT + "|branches to")
def branch_elsewhere(f, b, v):
    """To the next instruction but one."""
    place, address, size, _ = f.instructions(CONDITIONAL)[0]
    following = [i[2] for i in f.instructions(".*") if i[1] == address + size]
    if size == 2:
        f.put("b", place + 1, following[0])
    else:
        f.put("i", place + 2, following[0])


@fault("branches", "branches to")
def branch_into_instruction(f, b, v):
    for place, address, size, operands in f.instructions(r"callq 0x[0-9a-f]+ .*"):
        if "plt" not in operands:
            f.add("i", place + 1, 1)
            return
    raise Nothing("call")


@fault("branches", "branches to")
def branch_away(f, b, v):
    f.put("i", f.instructions(r"callq 0x[0-9a-f]+ .*")[0][0] + 1, 0x70000000)


@fault("branches", "it calls|personality|" + DIFFERENT)
def call_of_another(f, b, v):
    for place, address, size, operands in f.instructions(r"callq 0x[0-9a-f]+ .*"):
        if "_Z6deeperl" in operands:
            f.add("i", place + 1, f.symbol("_Z5twicel")[4] - f.symbol("_Z6deeperl")[4])
            return
    raise Nothing("call")


@fault("branches", DIFFERENT)
def return_early(f, b, v):
    place, _, size, _ = f.instructions("callq 0x.*")[0]
    f.data[place:place + size] = b"\xc3" + b"\x90" * (size - 1)


# ---- code

@fault("code", "is no instruction")
def no_instruction(f, b, v):
    place = f.offset(f.symbol("main")[4])
    f.data[place + 8:place + 24] = b"\x06" * 16  # push %es, which is gone


def change(pattern, at, bits, name, text):
    @fault("code", DIFFERENT)
    def changed(f, b, v):
        for place, _, size, _ in f.instructions(pattern):
            f.data[place + (at if at >= 0 else size + at)] ^= bits
            return
    changed.__doc__ = text
    FAULTS[-1] = (FAULTS[-1][0], name, FAULTS[-1][2], FAULTS[-1][3])


REGISTERS = r"%r\w+, %r\w+"
change("movq " + REGISTERS, -1, 1, "register_changed", "The destination of a move.")
change("movq " + REGISTERS, -1, 8, "source_changed", "The source of a move.")
change("movq " + REGISTERS, -2, 2, "opcode_changed", "A move becomes the opposite one.")
change("movq " + REGISTERS, 0, 8, "operand_size", "64 bits become 32.")
change(r"(addq|subq|cmpq|cmpl|andl|addl) \$.*", -1, 2, "immediate_changed", "")
change(r"subq \$.*%rsp", -1, 16, "frame_changed", "More room on the stack.")
change(r"(movl|movq) .*\(%rsp\).*", -1, 8, "slot_changed", "Another place on the stack.")
change(r"pushq %r(bx|bp)", 0, 6, "push_changed", "Another register is saved.")
change(r"popq %r(bx|bp)", 0, 6, "pop_changed", "Another register is restored.")
change(r"(addq|addl) %\w+, %\w+", -2, 0x28, "operation_changed", "An addition becomes another.")
change(r"(leaq|lea) .*\(%r[a-d]x.*", -1, 1, "address_changed", "")


@fault("code", DIFFERENT)
def instruction_removed(f, b, v):
    place, _, size, _ = f.instructions("movq " + REGISTERS)[0]
    f.data[place:place + size] = b"\x90" * size


@fault("code", DIFFERENT + "|no copy")
def data_elsewhere(f, b, v):
    """A load from the next variable."""
    for place, address, size, operands in f.instructions(r".*\(%rip\).*"):
        if f.data[place] in (0x48, 0x4c) and f.data[place + 1] in (0x8d, 0x8b):
            f.add("i", place + 3, 8)
            return
    raise Nothing("load")


@fault("code", DIFFERENT)
def instructions_swapped(f, b, v):
    code = f.instructions("movq " + REGISTERS)
    for one, two in zip(code, code[1:]):
        bytes_of = [bytes(f.data[i[0]:i[0] + i[2]]) for i in (one, two)]
        if one[2] == two[2] and bytes_of[0] != bytes_of[1]:
            f.swap(one[0], two[0], one[2])
            return
    raise Nothing("two moves")


# ---- data

@fault("data", "is not the input's")
def constant_changed(f, b, v):
    f.data[f.offset(f.symbol("Constants", 1)[4]) + 8] ^= 1


@fault("data", "is not the input's")
def variable_changed(f, b, v):
    f.data[f.offset(f.symbol("Counters", 1)[4]) + 4] ^= 1


@fault("data", "is not the input's")
def thread_variable_changed(f, b, v):
    f.data[f.find(".tdata")[2]] ^= 1


@fault("data", "is not the input's")
def string_changed(f, b, v):
    f.data[f.data.index(b"%ld %d\n")] ^= 1


@fault("data", "is not the input's")
def hash_table_changed(f, b, v):
    f.data[f.find(".gnu.hash")[2]] ^= 1


@fault("data", "is not the input's|needs")
def version_changed(f, b, v):
    _, _, offset, size = f.find(".gnu.version")
    f.data[offset + size - 2] ^= 1
