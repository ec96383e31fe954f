# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""XML for the program `feed`, from a fixed seed.

Training sees orders: short elements with plain text. The others see measurements: series of
numbers, nested elements, entities, CDATA, comments and letters beyond ASCII.
"""

import random

WORDS = ("hail rime sleet graupel snow fog frost dew mist drizzle cloud ice").split()
CUSTOMERS = ("Ada Blaise Carl Dorothy Emmy Frank Grace Haskell").split()


def _order(rng, number):
    kind = rng.choice(("order", "order", "order", "return"))
    items = " ".join(f"{rng.randrange(1, 9)} {rng.choice(WORDS)}," for _ in range(rng.randrange(2, 30)))
    return (f'<{kind} name="{rng.choice(CUSTOMERS)}-{number % 40}" value="{rng.random():.3f}">'
            f"for {rng.choice(CUSTOMERS)}: {items} thanks</{kind}>\n")


def _measurement(rng, number):
    kind = rng.choice(("rising", "falling", "note", "unsorted"))
    numbers = " ".join(f"<v>{rng.uniform(-50, 50):.3f}</v>" for _ in range(rng.randrange(5, 60)))
    words = " ".join(rng.choices(WORDS, k=rng.randrange(4, 60)))
    extra = rng.choice(("<!-- by hand -->", "&lt;&amp;&gt; &#228;&#x20ac;", "<![CDATA[a < b & c]]>",
                        "Grüße, naïve café", ""))
    return (f'<{kind} unit="mm" name="{rng.choice(WORDS)}{number % 97}" value="{rng.randrange(100)}">\n'
            f"  <place>{words}</place>{extra}\n  <series>{numbers}</series>\n</{kind}>\n")


def write(path, kind, seed, count):
    rng = random.Random(seed)
    make = _order if kind == "train" else _measurement
    with open(path, "w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<records>\n')
        for number in range(count):
            file.write(make(rng, number))
        file.write("</records>\n")
