# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""XML from a fixed seed.

Training sees records of elements with text. Reference sees a catalog: namespaces, many
attributes, entities, CDATA, comments, letters beyond ASCII.
"""

import random

WORDS = ("hail rime sleet graupel snow fog frost dew mist drizzle cloud ice").split()


def _record(rng, number):
    parts = "".join(f"    <{w}>{' '.join(rng.choices(WORDS, k=6))}</{w}>\n"
                    for w in rng.sample(WORDS, 5))
    return f'  <record id="{number}">\n{parts}    <value>{rng.random():.6f}</value>\n  </record>\n'


def _item(rng, number):
    attributes = " ".join(f'{w}="{rng.randrange(1000)}{rng.choice(("", "&amp;", "é"))}"'
                          for w in rng.sample(WORDS, 6))
    kinds = ("<![CDATA[a < b && c > d]]>", "&lt;tag&gt; &amp; &name; &#233;",
             "<!-- " + " ".join(rng.choices(WORDS, k=5)) + " -->", "größer als élan",
             f'<x:ref xlink:href="#i{number}"/>', "<?run it now?>")
    body = "\n".join(rng.choice(kinds) for _ in range(4))
    return f'<x:item key="i{number}" {attributes}>{body}</x:item>\n'


def write(path, kind, seed, records):
    """A document."""
    rng = random.Random(seed)
    if kind == "train":
        text = "<?xml version='1.0'?>\n<all>\n"
        text += "".join(_record(rng, n) for n in range(records)) + "</all>\n"
    else:
        text = ("<?xml version='1.0' encoding='UTF-8'?>\n<!DOCTYPE x:all [\n"
                "<!ENTITY name 'an <b>entity</b> of words'>\n"
                "<!ATTLIST x:item lang CDATA 'en'>\n]>\n"
                "<x:all xmlns:x='urn:x' xmlns:xlink='urn:link'>\n")
        text += "".join(_item(rng, n) for n in range(records)) + "</x:all>\n"
    path.write_text(text, encoding="utf-8")
