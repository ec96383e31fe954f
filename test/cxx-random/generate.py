#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A random C++ program in which nearly everything may throw.

  generate.py --seed N [--standard 14|20] > program.cpp

The same seed and standard make the same program. A program takes a number (its
mode), runs the same way each time, prints a hash of all constructions,
destructions and values, and returns a part of it.

1. Functions call only those with lower numbers, loops have bounds, and each call
   and round uses fuel, so that every program ends.
2. What may happen in a function: objects with destructors, try blocks in try
   blocks, switches with holes whose defaults throw, loops that are left in every
   way, rethrown exceptions, exceptions kept for later, lambdas, std::function,
   virtual calls through virtual bases, constructors that throw, local statics
   whose initializers throw, arrays of objects, frames with aligned or
   variable-sized objects, arguments on the stack.
3. Kinds of functions: plain, noexcept, function try blocks, templates, exception
   specifications (C++14), coroutines (C++20), threads, threads that exit in the
   middle, cold copies that differ in their frames only.
4. In each program, functions of one of clang's calling conventions that are called
   through pointers, often in rare cases only.
5. In each program, an interpreter whose handlers end in "goto *label", with its labels
   in one of several places; handlers may throw, catch, fall through and go to others.
6. Some programs end in std::terminate() in one of their modes.
"""
import argparse
import random

TYPES = ["int", "ErrorA", "ErrorB", "ErrorC", "Error", "std::runtime_error",
         "std::out_of_range", "std::exception", "std::bad_alloc", "char", "double",
         "const char *", "Other", "std::string", "long *"]
VALUES = {
    "int": "N", "char": "0 * N + 3", "double": "long(N) + 1", "const char *": "N[0]",
    "long *": "(N == nullptr)", "Other": "N.Value", "std::string": "long(N.size())",
    "Error": "N.code()", "ErrorA": "N.code()", "ErrorB": "N.code()", "ErrorC": "N.code()",
    "std::runtime_error": "N.what()[1]", "std::out_of_range": "N.what()[0]",
    "std::exception": "N.what()[0]", "std::bad_alloc": "N.what()[0]",
}


class Generator:
    def __init__(self, seed, standard):
        self.chance = random.Random(seed)
        self.own = random.Random(f"conventions {seed}")  # Leaves the rest as it was.
        self.gotos = random.Random(f"gotos {seed}")  # So does this.
        self.standard = standard
        self.names = 0
        self.lines = []
        self.indent = 0
        self.functions = []  # Names that may be called: (long, long) -> long.

    # Small things.

    def maybe(self, share):
        return self.chance.random() < share

    def pick(self, *options):
        return self.chance.choice(options)

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def put(self, text):
        self.lines.append("  " * self.indent + text)

    def open(self, text):
        self.put(text + " {")
        self.indent += 1

    def close(self, behind=""):
        self.indent -= 1
        self.put("}" + behind)

    # Expressions.

    def expression(self, scope, depth=2):
        if depth == 0 or self.maybe(0.3):
            return self.pick(*scope, *scope, str(self.chance.randrange(100)), "Mode")
        a, b = (self.expression(scope, depth - 1) for _ in range(2))
        kind = self.chance.randrange(10)
        if kind < 5:
            return f"({a} {self.pick('+', '-', '^', '&', '|')} {b})"
        if kind == 5:
            return f"long((unsigned long)({a}) * {self.chance.randrange(3, 99)})"
        if kind == 6:
            return f"{self.pick('quotient', 'remainder')}({a}, {b})"
        if kind == 7:
            return f"({self.condition(scope)} ? {a} : {b})"
        if kind == 8:
            return f"hide({a})"
        return self.call(scope)

    def condition(self, scope):
        a = self.pick(*scope)
        n = self.chance.randrange(2, 12)
        return self.pick(f"(({a} ^ Mode) % {n} == {self.chance.randrange(n)})",
                         f"({a} > {self.chance.randrange(200)})",
                         f"(({a} & {n}) != 0)", f"({a} % 97 == Mode)")

    def call(self, scope):
        a, b = self.pick(*scope), self.pick(*scope, "3", "Mode")
        if not self.functions or self.maybe(0.1):
            return f"many({a}, {b}, 1, 2, 3, 4, 5, 6, {self.chance.randrange(9)})"
        return f"{self.pick(*self.functions)}({a}, {b})"

    # Statements. A scope is the variables that may be read.

    def block(self, scope, depth, where, count=None):
        scope = list(scope)
        for _ in range(count or self.chance.randrange(1, 4)):
            self.statement(scope, depth, where)

    def statement(self, scope, depth, where):
        simple = [self.assign, self.assign, self.local, self.tracked, self.throw,
                  self.library, self.leave, self.make]
        nested = [self.branch, self.loop, self.switch, self.attempt, self.attempt,
                  self.function_object, self.static, self.keep, self.frame]
        pool = simple if depth <= 0 or self.maybe(0.45) else nested
        self.pick(*pool)(scope, depth, where)

    def assign(self, scope, depth, where):
        self.put(f"S {self.pick('+=', '^=', '-=')} {self.expression(scope)};")
        if self.maybe(0.3):
            self.put("mix(S);")

    def local(self, scope, depth, where):
        name = self.name("v")
        self.put(f"long {name} = {self.expression(scope)};")
        scope.append(name)

    def tracked(self, scope, depth, where):
        if self.maybe(0.3):
            self.put(f"{self.pick('Fragile', 'Guarded')} {self.name('g')}"
                     f"({self.expression(scope, 1)} & 31);")
        elif self.maybe(0.2):
            self.put(f"Tracked {self.name('a')}[2] = {{Tracked(S & 7), "
                     f"Tracked({self.expression(scope, 1)})}};")
        else:
            self.put(f"Tracked {self.name('t')}({self.expression(scope, 1)} & 63);")

    def throw(self, scope, depth, where):
        x = self.expression(scope, 1)
        if self.maybe(0.4):
            what = f"raise({self.chance.randrange(16)}, {x});"
        else:
            what = self.pick(f"throw ErrorA({x});", f"throw ErrorC({x});", f"throw int({x});",
                             "throw std::bad_alloc();", "throw 2.5;", "throw 'q';",
                             f"throw Other{{{x}}};", f"raise(S, {x});")
        if where == "handler" and self.maybe(0.4):
            what = "throw;"
        self.put(f"if {self.condition(scope)} {what}")

    def library(self, scope, depth, where):
        x = self.expression(scope, 1)
        name = self.name("l")
        if self.maybe(0.5):
            self.put(f"std::vector<int> {name}(5 + (S & 7), int(S));")
            self.put(f"S += {name}.at(({x}) & 15);")
        else:
            self.put(f"std::string {name}(size_t(({x}) & 31), 'x');")
            self.put(f"S += long({name}.substr(S & 31).size());")

    def make(self, scope, depth, where):
        kind = self.pick("Fragile", "Guarded", "Tracked")
        name = self.name("p")
        self.put(f"std::unique_ptr<{kind}> {name}(new {kind}({self.expression(scope, 1)} & 31));")

    def leave(self, scope, depth, where):
        ways = [f"{'co_return' if where == 'coroutine' else 'return'} "
                f"{self.expression(scope, 1)};"] if where not in ("object", "finally") else []
        if where == "loop":
            ways += ["break;", "continue;"] * 2
        if where == "coroutine":
            ways = [f"co_yield {self.expression(scope, 1)};"] * 3 + ["co_return;"]
        if ways:
            self.put(f"if {self.condition(scope)} {self.pick(*ways)}")

    def branch(self, scope, depth, where):
        self.open(f"if {self.condition(scope)}")
        self.block(scope, depth - 1, where)
        if self.maybe(0.6):
            self.indent -= 1
            self.open("} else")
            self.block(scope, depth - 1, where)
        self.close()

    def loop(self, scope, depth, where):
        i = self.name("i")
        n = self.chance.randrange(2, 9)
        self.open(f"for (long {i} = 0; {i} < {n} + (S & 3) && --Fuel > 0; ++{i})")
        inside = "loop" if where in ("plain", "loop", "handler") else where
        self.block([*scope, i], depth - 1, inside)
        self.close()

    def switch(self, scope, depth, where):
        n = self.chance.randrange(4, 14)
        self.open(f"switch ((({self.expression(scope, 1)}) & 0xffff) % {n + 3})")
        inside = "plain" if where == "loop" else where
        for value in range(n):
            if self.maybe(0.25):
                continue  # A hole.
            self.open(f"case {value}:")
            self.block(scope, depth - 1 if self.maybe(0.3) else 0, inside, 1)
            if self.maybe(0.8):
                self.put("break;")
            self.close()
        self.put(self.pick(f"default: throw ErrorC(S);", "default: raise(S, S);",
                           "default: S ^= 5;", "default: throw 2.5;", "case 99: S++;"))
        self.close()

    def attempt(self, scope, depth, where):
        self.open("try")
        self.block(scope, depth - 1, where)
        types = self.chance.sample(TYPES, self.chance.randrange(1, 5))
        # Bases behind what derives from them, lest compilers warn.
        types.sort(key=lambda t: (t in ("Error", "std::exception"), t in ("ErrorA", "ErrorB")))
        for t in types:
            self.handler(t, scope, depth, where)
        if self.maybe(0.45):
            self.indent -= 1
            self.open("} catch (...)")
            self.put(f"S += {self.chance.randrange(99)};")
            self.handle(scope, depth, where)
        self.close()

    def handler(self, t, scope, depth, where):
        e = self.name("e")
        by = "" if t.endswith("*") else self.pick("", "&", "const &")
        if by.startswith("const"):
            declared = f"const {t} &{e}"
        else:
            declared = f"{t} {by}{e}"
        self.indent -= 1
        self.open(f"}} catch ({declared})")
        self.put(f"S += {VALUES[t].replace('N', e)};")
        self.handle(scope, depth, where)

    def handle(self, scope, depth, where):
        if where == "coroutine":  # No co_yield in a handler.
            self.put("mix(S);")
        elif self.maybe(0.5):
            self.block(scope, depth - 2, "handler" if where != "object" else "object", 1)
        if self.maybe(0.15):
            self.put(f"if {self.condition(scope)} throw;")

    def function_object(self, scope, depth, where):
        name, x = self.name("l"), self.name("x")
        declared = self.pick("auto", "std::function<long(long)>")
        self.open(f"{declared} {name} = [&](long {x}) -> long")
        self.block([*scope, x], depth - 1, "handler-free" if where == "coroutine" else "plain")
        self.put(f"return S ^ {x};")
        self.close(";")
        self.put(f"S += {name}({self.expression(scope, 1)});")

    def static(self, scope, depth, where):
        if where == "coroutine":
            return
        name = self.name("s")
        kind = self.pick("static", "static", "static thread_local")
        self.put(f"{kind} Fragile {name}({self.expression(scope, 1)} & 31);")
        self.put(f"S += {name}.First.Id;")

    def keep(self, scope, depth, where):
        """An exception for later."""
        if where == "coroutine":
            return
        p = self.name("p")
        self.put(f"std::exception_ptr {p};")
        self.open("try")
        self.block(scope, depth - 1, "object" if where == "object" else "plain")
        self.indent -= 1
        self.open("} catch (...)")
        self.put(f"{p} = std::current_exception();")
        self.close()
        self.put("mix(S);")
        self.put(f"if ({p} && {self.condition(scope)}) std::rethrow_exception({p});")

    def frame(self, scope, depth, where):
        if where == "coroutine":
            return
        name = self.name("b")
        if self.maybe(0.5):
            self.put(f"alignas(64) volatile long {name}[8] = {{S, 1, 2}};")
            self.put(f"S += {name}[S & 7] + (((unsigned long){name} & 63) != 0);")
        else:
            self.put(f"volatile char *{name} = (volatile char *)__builtin_alloca(16 + (S & 127));")
            self.put(f"{name}[0] = char(S); S += {name}[0];")

    # Functions.

    def body(self, depth, count, where="plain"):
        self.put("if (--Fuel < 0) return A;")
        self.put("long S = A ^ B;")
        self.block(["A", "B", "S"], depth, where, count)
        self.put("mix(S);")

    def plain(self, name):
        linkage = self.pick("NOINLINE static", "NOINLINE static", "static", "NOINLINE", "COLD static")
        self.open(f"{linkage} long {name}(long A, long B)")
        self.body(3, self.chance.randrange(2, 7))
        self.put("return S;")
        self.close()

    def guarded(self, name):
        self.open(f"NOINLINE static long {name}(long A, long B) try")
        self.body(2, 3)
        self.put("return S;")
        self.indent -= 1
        self.open("} catch (Error &E)")
        self.put("return E.code() + A;")
        self.indent -= 1
        self.open("} catch (int I)")
        self.put("throw ErrorA(I);")
        self.close()

    def contained(self, name):
        """noexcept, and nothing gets out."""
        self.open(f"NOINLINE static long {name}(long A, long B) noexcept")
        self.put("long R = 1;")
        self.open("try")
        self.body(2, 3)
        self.put("R = S;")
        self.indent -= 1
        self.open("} catch (ErrorB &E)")
        self.put("R = E.code();")
        self.indent -= 1
        self.open("} catch (...)")
        self.put("R += 3;")
        self.close()
        self.put("return R;")
        self.close()

    def shaped(self, name):
        """Copies whose cold parts differ in nothing but the frame."""
        for i in range(3):
            self.open(f"NOINLINE static long {name}_{i}(long A, long B)")
            for j in range(i):
                self.put(f"long k{j} = many(A, B, {j}, 2, 3, 4, 5, 6, 7);")
            self.put("void *P = (A ^ B) % 7 == 3 ? nullptr : hide((void *)1);")
            self.put("if (!P) throw std::bad_alloc();")
            kept = "".join(f" + hide(k{j})" for j in range(i))
            self.put(f"return long(P) + many(A, 2, 3, 4, 5, 6, 7, 8, B){kept};")
            self.close()
        self.open(f"NOINLINE static long {name}(long A, long B)")
        self.put("long S = A;")
        for i in range(3):
            self.put(f"try {{ S += {name}_{i}(A + {i}, B); }} catch (std::bad_alloc &) "
                     f"{{ S += {i + 5}; }}")
        self.put("return S;")
        self.close()

    def template(self, name):
        self.open(f"template <int N> NOINLINE static long {name}_t(long A, long B)")
        self.body(2, 3)
        self.put("return S + N;")
        self.close()
        self.open(f"NOINLINE static long {name}(long A, long B)")
        self.put(f"return A & 1 ? {name}_t<1>(A, B) : {name}_t<2>(B, A);")
        self.close()

    def specified(self, name):
        if self.standard >= 17:
            return self.plain(name)
        self.open(f"NOINLINE static long {name}_s(long A, long B) "
                  f"throw({self.pick('ErrorA, int', 'Error', 'int', 'Error, int, char')})")
        self.body(2, 3)
        self.put("return S;")
        self.close()
        self.open(f"NOINLINE static long {name}(long A, long B)")
        self.open("try")
        self.put(f"return {name}_s(A, B);")
        self.indent -= 1
        self.put("} catch (Error &E) { return E.code(); } catch (int I) { return I; } "
                 "catch (char) { return 4; }")
        self.close()

    def virtual(self, name):
        for suffix, base in (("_b", ""), ("_l", f" : virtual {name}_b"),
                             ("_r", f" : virtual {name}_b"), ("_d", f" : {name}_l, {name}_r")):
            if suffix == "_d" or self.maybe(0.7) or not base:
                self.open(f"struct {name}{suffix}{base}")
                self.put(f"Tracked T{suffix}{{{self.chance.randrange(9)}}};")
                if not base:
                    self.put(f"virtual ~{name}_b() {{ mix(3); }}")
                self.open(f"virtual NOINLINE long run(long A, long B)")
                self.body(2, 3)
                self.put("return S;")
                self.close()
                self.close(";")
            else:
                self.put(f"struct {name}{suffix}{base} {{}};")
        self.open(f"NOINLINE static long {name}(long A, long B)")
        self.put(f"std::unique_ptr<{name}_b> P(A % 3 == 0 ? new {name}_b : new {name}_d);")
        self.put(f"long S = P->run(A, B);")
        self.put(f"if (B % 5 == 1) S += dynamic_cast<{name}_l &>(*P).run(B, A);")
        self.put("return S;")
        self.close()

    def threaded(self, name):
        callee = self.pick(*self.functions)
        self.open(f"NOINLINE static long {name}(long A, long B)")
        self.put("if ((Fuel -= 1000) < 0) return A;")
        self.put("std::exception_ptr P; long R = 0;")
        self.open("std::thread T([&]")
        self.put("Fuel = 2000;")
        self.put(f"try {{ R = {callee}(A, B); }} catch (...) {{ P = std::current_exception(); }}")
        self.put("Others += Hash ^ (unsigned long)Live;")
        self.close(");")
        self.put("T.join();")
        self.put("if (P) std::rethrow_exception(P);")
        self.put("return R;")
        self.close()

    def exiting(self, name):
        """A thread that ends in the middle, through all frames."""
        end = self.pick("pthread_exit(nullptr);",
                        "{ pthread_cancel(pthread_self()); pthread_testcancel(); }")
        self.open(f"NOINLINE static long {name}_i(long A, long B)")
        self.put("Tracked T(A & 15);")
        self.put("try {")
        self.put("  Tracked U(2);")
        self.put(f"  if (A % 3 == 0) {end}")
        self.put(f"  return {self.pick(*self.functions)}(A, B);")
        self.put("} catch (abi::__forced_unwind &) { Others += Hash; throw; }")
        self.put("catch (...) { return 5; }")
        self.close()
        self.put(f"struct {name}_j {{ long A, B, R; }};")
        self.open(f"static void *{name}_t(void *P)")
        self.put(f"{name}_j &J = *({name}_j *)P;")
        self.put("Fuel = 1000;")
        self.put(f"J.R = {name}_i(J.A, J.B);")
        self.put("return nullptr;")
        self.close()
        self.open(f"NOINLINE static long {name}(long A, long B)")
        self.put("if ((Fuel -= 1000) < 0) return A;")
        self.put(f"{name}_j J{{A, B, 1}};")
        self.put("pthread_t Thread;")
        self.put(f"pthread_create(&Thread, nullptr, {name}_t, &J);")
        self.put("pthread_join(Thread, nullptr);")
        self.put("return J.R;")
        self.close()

    def coroutine(self, name):
        if self.standard < 20:
            return self.plain(name)
        self.open(f"NOINLINE static Stream {name}_c(long A, long B)")
        self.put("if (--Fuel < 0) co_return;")
        self.put("long S = A ^ B;")
        self.block(["A", "B", "S"], 2, "coroutine", 5)
        self.put("co_yield S;")
        self.close()
        self.open(f"NOINLINE static long {name}(long A, long B)")
        self.put("long S = 0;")
        self.put(f"Stream C = {name}_c(A, B);")
        self.put(f"for (int I = 0; I < {self.chance.randrange(2, 9)} && C.next(); ++I) S += C.value();")
        self.put("mix(S);")
        self.put("return S;")
        self.close()

    def foreign(self):
        """The caller of some functions, all of one calling convention."""
        own, parameters = self.own, "ABCDEFGHIJKL"[:self.own.randrange(1, 13)]
        convention = f"CONVENTION_{own.randrange(5)}"
        typed = ", ".join(f"long {p}" for p in parameters)

        def value(names):
            a, b = own.choice(names), own.choice([*names, str(own.randrange(1, 99))])
            return own.choice([f"{a} + {b}", f"({a} ^ {b})", f"{a} * 3 - {b}", f"{a}", f"({a} >> 3)",
                               f"many({a}, {b}, 1, 2, 3, 4, 5, 6, 7)" if own.random() < 0.2 else b])

        def arguments(names):
            return ", ".join(value(names) for _ in parameters)

        self.put(f"typedef {convention} long (*Foreign)({typed});")
        self.put("extern Foreign volatile Foreigners[4];")
        for i in range(4):
            self.open(f"NOINLINE {convention} static long foreign{i}({typed}) noexcept")
            self.put(f"if (--Fuel < 0) return {value(parameters)};")
            self.put(f"long S = {value(parameters)};")
            if own.random() < 0.5:
                self.put(f"for (long K = 0; K < ({value(parameters)} & 3); ++K) S += {value(parameters)};")
            if own.random() < 0.6:
                rare = f"(({value(parameters)}) & {own.choice([1, 7, 63, 255])}) == {own.choice([0, 1])}"
                self.put(f"if (__builtin_expect({rare}, 0)) "
                         f"return Foreigners[S & 3]({arguments([*parameters, 'S'])});")
            self.put(f"return S + {value([*parameters, 'S'])};")
            self.close()
        self.put("Foreign volatile Foreigners[4] = {foreign0, foreign1, foreign2, foreign3};")
        self.open("NOINLINE static long foreign(long A, long B)")
        for name in "PQR":
            self.put(f"long {name} = {value('AB')};")
        self.put(f"if (__builtin_expect((A & {own.choice([0, 7, 63])}) == 0, 0)) "
                 f"return Foreigners[P & 3]({arguments('ABPQR')});")
        self.put(f"return {value('ABPQR')};")
        self.close()

    def interpreter(self):
        """Its labels are in tables, in tables that it copies to, or in its own code."""
        rest, self.chance = self.chance, self.gotos
        n, length = self.chance.randrange(3, 24), self.chance.randrange(3, 40)
        labels = ", ".join(f"&&L{i}" for i in range(n))
        kind = self.pick("table", "table", "copy", "copy", "two", "step", "code", "distance")
        program = [self.chance.randrange(n) for _ in range(length)]
        self.put(f"static const unsigned char Program[] = {{{', '.join(map(str, program))}}};")
        self.put("struct Step { const void *To; long Operand; };")
        whole = "WHOLE " if kind == "distance" else ""
        self.open(f"NOINLINE {whole}static long interpret(long A, long B)")
        self.put(f"static const void *const Labels[] = {{{labels}}};")
        if kind == "two":
            others = ", ".join(f"&&L{self.chance.randrange(n)}" for _ in range(n))
            self.put(f"static const void *const Others[] = {{{others}}};")
            self.put("const void *const *From = A & 1 ? Labels : Others;")
        if kind == "copy":
            self.put(f"static const void *Copy[{n}];")
            self.put(f"if (!Copy[0]) for (int I = 0; I < {n}; ++I) Copy[I] = Labels[I];")
        if kind == "step":
            self.put(f"static Step Steps[{length}];")
            self.put(f"if (!Steps[0].To) for (int I = 0; I < {length}; ++I) "
                     "Steps[I] = {Labels[Program[I]], I * 3};")
        if kind == "distance":
            distances = ", ".join(f"int((char *)&&L{i} - (char *)&&L0)" for i in range(n))
            self.put(f"static const int Distances[] = {{{distances}}};")
        self.put("long S = A ^ B;")
        self.put(f"int P = A % {length}; if (P < 0) P = 0;")
        at = {"table": "*Labels[Program[P]]", "copy": "*Copy[Program[P]]",
              "two": "*From[Program[P]]", "step": "*Steps[P].To",
              "code": f"*(Program[P] == {program[0]} ? &&L{program[0]} : Labels[Program[P]])",
              "distance": "*((char *)&&L0 + Distances[Program[P]])"}[kind]
        follow = (f"if (++P >= {length}) P = 0; if (--Fuel < 0) goto Done; "
                  f"mix(S); goto {at};")
        guarded = self.maybe(0.4)  # Computed gotos stay inside of the block.
        if guarded:
            self.open("try")
        shared = self.maybe(0.4)
        self.put(follow if not shared else "goto Again;")
        if shared:
            self.put(f"Again: {follow}")
        for i in range(n):
            self.open(f"L{i}:")
            self.block(["A", "B", "S"], self.pick(0, 0, 0, 1, 2), "plain", self.chance.randrange(1, 3))
            self.close()
            if self.maybe(0.2):
                self.put(f"if ({self.condition(['A', 'B', 'S'])}) {{ if (--Fuel < 0) goto Done; "
                         f"goto L{self.chance.randrange(n)}; }}")
            if self.maybe(0.12):
                continue  # Into the next, or out.
            self.put("goto Again;" if shared and self.maybe(0.8) else follow)
        if guarded:
            self.indent -= 1
            self.open("} catch (Error &E)")
            self.put("S += E.code();")
            self.close()
        self.put("Done:")
        self.put("mix(S);")
        self.put("return S;")
        self.close()
        self.chance = rest

    def program(self):
        kinds = [self.plain] * 6 + [self.guarded, self.contained, self.shaped, self.template,
                                    self.specified, self.virtual, self.coroutine]
        threads = self.maybe(0.3)
        self.put("// Made by generate.py.")
        self.put('#include "prelude.h"')
        if threads:
            self.put("#include <cxxabi.h>\n#include <pthread.h>\n#include <thread>")
        if self.standard >= 20:
            self.put(STREAM)
        self.put("NOINLINE static long many(long A, long B, long C, long D, long E, long F, long G,"
                 " long H, long I) { if ((A ^ I) % 19 == 7) throw ErrorA(B); "
                 "return A + B * C - D + E * F + G - H; }")
        for i in range(self.chance.randrange(4, 11)):
            name = f"f{i}"
            self.pick(*kinds)(name)
            self.functions.append(name)
        if threads:
            self.pick(self.threaded, self.exiting)("f99")
            self.functions.append("f99")
        self.foreign()
        self.interpreter()
        self.main()
        return "\n".join(self.lines) + "\n"

    def main(self):
        ends = self.maybe(0.25)
        if ends:
            self.open("NOINLINE static long last(long A, long B) noexcept")
            self.put("Tracked T(4);")
            self.put("return many(A, B, 1, 2, 3, 4, 5, 6, A ^ 7);")
            self.close()
        self.open("int main(int Argc, char **Argv)")
        self.put("Mode = Argc > 1 ? atoi(Argv[1]) : 0;")
        self.put("std::set_terminate([] { std::_Exit(finish() | 64); });")
        if self.standard < 17:
            self.put("std::set_unexpected([] { throw ErrorA(1); });")
        self.put("long S = Mode + 1;")
        self.open(f"for (long I = 0; I < {self.chance.randrange(20, 60)}; ++I)")
        self.put("Fuel = 4000;")
        self.open("try")
        for f in self.chance.sample(self.functions, min(len(self.functions), 4)):
            self.put(f"S += {f}(I, S & 127);")
        self.put("S += interpret(I, S & 127);")
        self.indent -= 1
        self.put("} catch (Error &E) { S += E.code(); }")
        self.put("catch (std::exception &E) { S += E.what()[0]; }")
        self.put("catch (int E) { S += E; }")
        self.put("catch (...) { S += 17; }")
        self.put("mix(S);")
        self.close()
        self.put("for (long I = 0; I < 3000; ++I) { Fuel = 20; S += foreign(I, S & 127) & 511; }")
        self.put("mix(S);")
        if ends:
            self.put("if (Mode == 2) S += last(S, 3);")
        self.put("return finish();")
        self.close()


STREAM = """#include <coroutine>
struct Stream {
  struct promise_type {
    long Value = 0;
    std::exception_ptr Thrown;
    Stream get_return_object() {
      return Stream{std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(long V) { if (V % 11 == 5) throw ErrorB(V); Value = V; return {}; }
    void return_void() {}
    void unhandled_exception() { Thrown = std::current_exception(); }
  };
  std::coroutine_handle<promise_type> Handle;
  explicit Stream(std::coroutine_handle<promise_type> H) : Handle(H) {}
  Stream(const Stream &) = delete;
  ~Stream() { Handle.destroy(); }
  bool next() {
    Handle.resume();
    if (Handle.promise().Thrown) std::rethrow_exception(Handle.promise().Thrown);
    return !Handle.done();
  }
  long value() const { return Handle.promise().Value; }
};"""


def generate(seed, standard):
    return Generator(seed, standard).program()


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seed", type=int, required=True, metavar="N")
    p.add_argument("--standard", type=int, choices=(14, 20), default=20,
                   help="of C++ (default: 20)")
    args = p.parse_args()
    print(generate(args.seed, args.standard), end="")


if __name__ == "__main__":
    main()
