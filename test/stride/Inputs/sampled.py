# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the report of a sampled record with that of an exact one.

usage: sampled.py EXACT.json SAMPLED.json POINTS

Of each stream, and each of its sites, that makes more than 1 % of references:
what it is of all references, and what each bin is of its own. Of loops with more
than 50000 executions how many these were."""

import json
import sys


def parts(report):
    """{name: (references, {(lag, bin): count})}"""
    result = {}
    for stream in report["streams"]:
        # Blocks that one line allocates in two copies of its code are one object
        # of a sampled record.
        name = stream["object"].split(" #")[0], stream["kind"]
        for place, counts in [(name, stream)] + [
                (name + (s["file"], s["line"], s["column"], s["bytes"]), s) for s in stream["sites"]]:
            total, bins = result.get(place, (0, {}))
            for histogram in counts["histograms"]:
                for each, count in histogram["bins"].items():
                    key = histogram["lag"], each
                    bins[key] = bins.get(key, 0) + count
            result[place] = total + counts["references"], bins
    return result


def executions(report):
    result = {}
    for loop in report["loops"]:
        if loop["summarised"]:
            place = loop["function"], loop["line"], loop["column"]
            result[place] = result.get(place, 0) + loop["executions"]
    return result


def main():
    exact, sampled = (json.load(open(name)) for name in sys.argv[1:3])
    points = float(sys.argv[3])
    all_exact, all_sampled = exact["all"]["references"], sampled["all"]["references"]
    estimates = parts(sampled)
    compared = wrong = 0
    for name, (total, bins) in parts(exact).items():
        share = 100 * total / all_exact
        if share < 1:
            continue
        estimate, found = estimates.get(name, (0, {}))
        differences = {"of all": 100 * estimate / all_sampled - share}
        for key in set(bins) | set(found):
            differences[key] = (100 * found.get(key, 0) / max(estimate, 1)
                                - 100 * bins.get(key, 0) / total)
        for what, difference in differences.items():
            compared += 1
            if abs(difference) > points:
                wrong += 1
                print(f"{name}: {what}: {difference:+.2f} points")
    estimates = executions(sampled)
    for place, count in executions(exact).items():
        if count > 50000:
            compared += 1
            if abs(estimates.get(place, 0) / count - 1) > 0.05:
                wrong += 1
                print(f"{place}: {count} executions, estimated {estimates.get(place, 0)}")
    print(f"{all_exact} references, estimated {all_sampled}: {100 * (all_sampled / all_exact - 1):+.2f} %")
    print(f"{compared} percentages, {wrong} wrong")
    print(f"sampled: {sampled['sampled']['percent']:.3f} % in {sampled['sampled']['bursts']} bursts")
    sys.exit(wrong != 0 or not compared or abs(all_sampled / all_exact - 1) > 0.02)


if __name__ == "__main__":
    main()
