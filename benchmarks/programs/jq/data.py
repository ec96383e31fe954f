# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JSON from a fixed seed: records with lists, numbers, strings and truth values."""

import json
import random

WORDS = ("hail rime sleet graupel snow fog frost dew mist drizzle cloud ice").split()


def _record(rng, number):
    parts = [{"id": i, "price": round(rng.uniform(0, 99), 2), "unit": rng.choice(WORDS)}
             for i in range(rng.randrange(7))]
    return {"name": f"{rng.choice(WORDS).title()} {number}", "kind": rng.choice(WORDS[:5]),
            "active": rng.random() < 0.6, "parts": parts, "note": None,
            "tags": rng.choices(WORDS, k=rng.randrange(6)), "text": "a \"quoted\"\ttext \u00e9"}


def write(path, seed, records):
    """A list of records."""
    rng = random.Random(seed)
    path.write_text(json.dumps([_record(rng, n) for n in range(records)]), encoding="utf-8")
