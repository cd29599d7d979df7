#!/usr/bin/env python3
"""Recomputes every line of wrh1.jsonl without any code of meshroll: python3 test/vectors/check.py [FILE]

Plain Python 3, integers only. It is also the shortest complete description of wrh1: docs/explanation/assignment.md.
"""
import hashlib
import json
import os
import sys

MASK = 0xFFFFFFFF


def rotate(value, bits):
    return ((value << bits) | (value >> (32 - bits))) & MASK


def scramble(block):
    return rotate(block * 0xCC9E2D51 & MASK, 15) * 0x1B873593 & MASK


def murmur3(text, seed):
    data = text.encode("utf-8")
    whole = len(data) & ~3
    h = seed
    for at in range(0, whole, 4):
        h = rotate(h ^ scramble(int.from_bytes(data[at : at + 4], "little")), 13)
        h = (h * 5 + 0xE6546B64) & MASK
    h ^= scramble(int.from_bytes(data[whole:], "little")) ^ len(data)
    h = (h ^ (h >> 16)) * 0x85EBCA6B & MASK
    h = (h ^ (h >> 13)) * 0xC2B2AE35 & MASK
    return h ^ (h >> 16)


def table_point(i):
    m = (1 << 25) + i * (1 << 14)
    bits = 0
    for _ in range(24):
        m = m * m
        high = m >= 1 << 51
        m >>= 26 if high else 25
        bits = bits * 2 + high
    return bits


TABLE = [table_point(i) for i in range(2048)] + [1 << 24]


def nlog(u):
    x = 2 * u + 1
    e = x.bit_length() - 1
    f = (x - (1 << e)) << (32 - e)
    i, r = f >> 21, f & 0x1FFFFF
    return (33 - e) * (1 << 24) - (TABLE[i] + ((TABLE[i + 1] - TABLE[i]) * r >> 21))


def nearer(distance, weight, other_distance, other_weight):
    return distance * other_weight < other_distance * weight


def assign(dist, distances):
    best = None
    entries = sorted((rev.encode("utf-8"), weight, distance, rev) for (rev, weight), distance in zip(dist, distances))
    for _, weight, distance, rev in entries:
        if weight > 0 and (best is None or nearer(distance, weight, best[0], best[1])):
            best = (distance, weight, rev)
    return best[2]


def position(dist, distances):
    entries = sorted((rev.encode("utf-8"), weight, distance) for (rev, weight), distance in zip(dist, distances))
    weighted = [entry for entry in entries if entry[1] > 0]
    pair = weighted if len(weighted) == 2 else entries
    if len(pair) != 2:
        return None
    return 100 * pair[1][2] / (pair[0][2] + pair[1][2])


def check_assignment(vector):
    dist = vector["dist"]
    s0 = murmur3(vector["seed"], 0)
    hashes = [murmur3(vector["key"], murmur3(rev, s0)) for rev, _ in dist]
    distances = [nlog(h) for h in hashes]
    got = {"s0": s0, "h": hashes, "L": distances, "want": assign(dist, distances), "position": position(dist, distances)}
    return [f"{name}: {vector.get(name)} in the file, computed {value}" for name, value in got.items() if vector.get(name) != value]


def check(vector):
    """What is wrong with one line, as sentences."""
    if "algorithm" in vector:
        digest = hashlib.sha256(b"".join(point.to_bytes(4, "little") for point in TABLE)).hexdigest()
        same = (vector["algorithm"], vector["table"], vector["sha256"]) == ("wrh1", len(TABLE), digest)
        return [] if same else [f"the table has {len(TABLE)} points and sha256 {digest}"]
    if "murmur3" in vector:
        return [f"murmur3{row}: {murmur3(row[0], row[1])}" for row in vector["murmur3"] if murmur3(row[0], row[1]) != row[2]]
    if "nlog" in vector:
        return [f"nlog{row}: {nlog(row[0])}" for row in vector["nlog"] if nlog(row[0]) != row[1]]
    if "nearer" in vector:
        return [f"nearer{row}: {nearer(*row[:4])}" for row in vector["nearer"] if nearer(*row[:4]) != row[4]]
    return check_assignment(vector)


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "wrh1.jsonl")
    with open(path, encoding="utf-8") as file:
        vectors = [json.loads(line) for line in file]
    wrong = [f"line {number}: {text}" for number, vector in enumerate(vectors, 1) for text in check(vector)]
    assignments = sum("want" in vector for vector in vectors)
    if not vectors or "algorithm" not in vectors[0] or assignments == 0:
        wrong.append("no header line, or no assignment: this is not a file of vectors")
    print("\n".join(wrong) if wrong else f"{assignments} assignments, {len(vectors)} lines: all equal")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
