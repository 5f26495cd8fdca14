# Copyright 2026 The Holdfast Authors
# SPDX-License-Identifier: Apache-2.0

"""Writes cpython.jsonl: what CPython answers where Holdfast promises Python's
meaning. The Go tests read the table and never run Python.

    python3.11 cpython.py > cpython.jsonl

A row is {"op", "args", "want"}. Values: null, booleans, strings and lists are
themselves; {"i": "12"} an int, {"f": "0x1.8p+0"} a float, {"t": […]} a tuple,
{"d": [[key, value], …]} a dict; {"err": "TypeError"} as want is an exception,
for Holdfast an unknown value. Offsets are code points. A row with "differs"
is one where Holdfast answers otherwise on purpose; the text is the reason, and
"ours", if it is there, the answer.
"""

import itertools
import json
import re
import sys
import unicodedata
import warnings

warnings.simplefilter("ignore")

ROWS = []


def enc(v):
    if v is None or isinstance(v, (bool, str)):
        return v
    if isinstance(v, int):
        return {"i": str(v)}
    if isinstance(v, float):
        return {"f": v.hex()} if v - v == 0 else repr(v)
    if isinstance(v, list):
        return [enc(x) for x in v]
    if isinstance(v, tuple):
        return {"t": [enc(x) for x in v]}
    if isinstance(v, dict):
        return {"d": [[k, enc(x)] for k, x in v.items()]}
    return {"err": "type " + type(v).__name__}


def row(op, args, compute, differs=None, **ours):
    try:
        want = enc(compute())
    except RecursionError:
        want = {"err": "RecursionError"}
    except Exception as e:
        want = {"err": type(e).__name__}
    r = {"op": op, "args": [enc(a) for a in args], "want": want}
    if callable(differs):
        differs = differs(want)
    if differs:
        r["differs"] = differs
        if "ours" in ours:
            r["ours"] = enc(ours["ours"])
    ROWS.append(r)


TEXTS = [
    "", "a", "abc", "Hello, World", "  padded  ", "a,b,,c", ",", ",,", "a  b c", " \t\n a \r\n", "\x1c\x1da\x1e\x1f b",
    "line\nline\n", "a\rb\r\nc\n\rd", "\n", "\n\n", "x\x0by\x0cz\x85w\u2028v\u2029u", "caf\u00e9 na\u00efve", "\u00a0nbsp\u00a0",
    "\u65e5\u672c\u8a9e \u30c6\u30b9\u30c8", "\U0001f600 smile \U0001f44d\U0001f3fd", "aXbXc", "xxabcxx", "banana", "a.b.c", "{}", "tab\tsep", "\u3000wide\u3000",
    "STRASSE", "\u0130stanbul", "\u01c5ungla", "\u1e9e", "stra\u00dfe", "\u03a3\u03a3", "\ufb01n", "k\u212a", "0123456789" * 3, "\x85\x1c", "a\x1cb",
]


def upper_differs(t):
    return lambda want: "case is mapped rune by rune" if any(
        len(c.upper()) != 1 or len(c.lower()) != 1 for c in t) or "\u03a3" in t else None


def methods():
    for t in TEXTS:
        row("lower", [t], lambda: t.lower(), upper_differs(t) if t.lower() != "".join(c.lower() if len(c.lower()) == 1 else "i" for c in t) else None)
        row("upper", [t], lambda: t.upper(), upper_differs(t) if any(len(c.upper()) != 1 for c in t) else None)
        row("strip", [t], lambda: t.strip())
        row("split", [t], lambda: t.split())
        for n in (0, 1, 2, 5):
            row("split", [t, None, n], lambda: t.split(None, n))
        row("splitlines", [t], lambda: t.splitlines())
        row("splitlines", [t, True], lambda: t.splitlines(True))
        for chars in ("", "a", " ", "xc", "\u00e9,", "\n\t "):
            row("strip", [t, chars], lambda: t.strip(chars))
        for sep in ("", ",", "b", "  ", "X", "\n", "na", "\u00e9"):
            row("split", [t, sep], lambda: t.split(sep))
            row("split", [t, sep, 1], lambda: t.split(sep, 1))
            row("split", [t, sep, 0], lambda: t.split(sep, 0))
        for old, new in (("", "-"), ("a", "bb"), ("an", ""), ("\u00e9", "e"), ("l", "\U0001f600"), (" ", ""), ("zz", "y")):
            row("replace", [t, old, new], lambda: t.replace(old, new))
            for n in (0, 2, -1) if len(t) < 20 else ():
                row("replace", [t, old, new, n], lambda: t.replace(old, new, n))
        for p in ("", "a", "H", "caf", "\U0001f600", ("b", "a"), (), ("zz", "")):
            row("startswith", [t, p], lambda: t.startswith(p))
            row("endswith", [t, p], lambda: t.endswith(p))
        for start, end in () if len(t) > 4 else ((1, None), (None, 2), (1, 3), (-2, None), (0, -1), (99, None), (2, 1), (3, 99), (0, 0)):
            for p in ("", "b", "a"):
                row("startswith", [t, p, start, end], lambda: t.startswith(p, start, end))
                row("endswith", [t, p, start, end], lambda: t.endswith(p, start, end))
    for sep in ("", ",", " - ", "\u00e9"):
        for items in ([], ["a"], ["a", "b", "c"], ["", ""], ("x", "y"), "abc", {"k": 1, "l": 2}, [1], ["a", None], 5):
            row("join", [sep, items], lambda: sep.join(items))
    row("strip", ["a", 5], lambda: "a".strip(5))
    row("split", ["a", 5], lambda: "a".split(5))
    row("startswith", ["a", 5], lambda: "a".startswith(5))
    row("startswith", ["a", ["a"]], lambda: "a".startswith(["a"]))
    row("replace", ["a", 1, "b"], lambda: "a".replace(1, "b"))
    for d in ({}, {"a": 1}, {"a": None, "b": [1, "x"], "keys": {}}):
        row("keys", [d], lambda: list(d.keys()))
        row("values", [d], lambda: list(d.values()))
        row("items", [d], lambda: list(d.items()))
        for k in ("a", "b", "zz", "keys", 1, None):
            row("get", [d, k], lambda: d.get(k))
            row("get", [d, k, "dflt"], lambda: d.get(k, "dflt"))


NUMBERS = [
    0, 1, -1, 2, -2, 3, 7, -7, 10, 255, 256, 257, -17, 100, 2**31, 2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**62, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1,
    2**64, 10**20, -(10**20), 2**200, 0.0, -0.0, 0.5, -0.5, 1.0, 1.5, -1.5, 2.5, -2.5, 0.1, 0.2, 0.3, 1e-5, 1e16, 1e22, 1e308, -1e308, 5e-324, 2.0**53, 2.0**53 + 2, 2.0**63,
    3.0, -3.0, 7.0,
]
OTHERS = ["a", "", None, True, False, [1], (1,), {"a": 1}]

ARITH = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "//": lambda a, b: a // b, "%": lambda a, b: a % b, "**": lambda a, b: a ** b,
}
COMPARE = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}


def finite(v):
    """Holdfast has no infinities, NaN, complex numbers or large integers."""
    if isinstance(v, complex):
        raise ArithmeticError
    if isinstance(v, float) and (v != v or v in (float("inf"), float("-inf"))):
        raise ArithmeticError
    if isinstance(v, int) and v.bit_length() > 4096:
        raise OverflowError
    return v


def boolean(*vs):
    return any(isinstance(v, bool) for v in vs)


def arithmetic():
    for op, f in ARITH.items():
        for i, (a, b) in enumerate(itertools.product(NUMBERS, NUMBERS)):
            if i % 12 != len(op) and not edge(a, b):
                continue  # a part of them is enough
            if op == "**" and (abs(b) > 400 or isinstance(a, float) and abs(a) > 1e100 or isinstance(b, float) and b != int(b)):
                continue
            row("arith", [op, a, b], lambda: finite(f(a, b)))
        for a, b in itertools.chain(itertools.product(OTHERS, NUMBERS[:4] + OTHERS), itertools.product(NUMBERS[:4], OTHERS)):
            differs = None
            if boolean(a, b):
                differs = lambda want: None if isinstance(want, dict) and "err" in want else "a boolean is no number"
            elif op == "%" and isinstance(a, str):
                differs = lambda want: None if isinstance(want, dict) and "err" in want else "there is no % on texts"
            row("arith", [op, a, b], lambda: finite(f(a, b)), differs)
    for a, b in (("ab", 3), (3, "ab"), ("ab", -1), ([1, "x"], 2), ((1,), 0), ("a", 2.0), ("x" * 1000, 10**6), ([1], 10**30)):
        row("arith", ["*", a, b], lambda: f"{a}" if False else finite(a * b) if not big(a, b) else overflow())
    for x in NUMBERS + OTHERS:
        differs = "a boolean is no number" if boolean(x) else None
        row("neg", [x], lambda: -x, differs)
        row("pos", [x], lambda: +x, differs)


def edge(a, b):
    return abs(a) in (2**53, 2**53 + 1, 7, 7.0, 2.5) and abs(b) in (2, 3, 2.5, 3.0, 0.5)


def big(a, b):
    return isinstance(b, int) and b > 10**5


def overflow():
    raise OverflowError


def comparisons():
    values = NUMBERS + ["", "a", "b", "ab", "A", "\u00e9", "\uffff", "\U00010000"] + [
        [], [1], [1, 2], [2], [1.0], ["a"], [[1], 2], (), (1,), (1, 2), None, True, False, {}, {"a": 1}, {"a": 1.0}, {"b": 2, "a": 1}, {"a": 1, "b": 2}, [None], [True],
    ]
    for op, f in COMPARE.items():
        for i, (a, b) in enumerate(itertools.product(values, values)):
            if i % 14 != len(op) and not (type(a) is type(b) and type(a) not in (int, float, str)) and not near(a, b):
                continue  # a part of them is enough
            if op in ("<=", ">", ">=", "!=") and i % 3:
                continue  # they follow from the others
            nested = any(isinstance(x, (list, dict)) and any(isinstance(y, bool) for y in x) for x in (a, b))
            differs = None
            if boolean(a, b) or nested:
                differs = lambda want: bool_differs(op, a, b, want)
            row("compare", [op, a, b], lambda: f(a, b), differs)


def near(a, b):
    return type(a) in (int, float) and type(b) in (int, float) and a != b and abs(a - b) <= 2


def bool_differs(op, a, b, want):
    if op in ("==", "!="):
        same = type(a) is type(b) and (not isinstance(a, list) or [type(x) for x in a] == [type(x) for x in b])
        return None if same or want == (op == "!=") else "a boolean is no number"
    if isinstance(want, dict):
        return None
    if isinstance(a, list) and isinstance(b, list) and (not a or not b):
        return None
    if isinstance(a, list) and a == b and [type(x) for x in a] == [type(x) for x in b]:
        return None
    return "there is no order among booleans"


def sequences():
    seqs = ["", "a", "hello", "caf\u00e9 \U0001f600!", [], [1], [1, 2, 3, 4], (1, 2, 3)]
    idx = [0, 1, -1, 2, -3, 5, -6, 100, -100, 10**20]
    for s in seqs:
        for i in idx + [1.0, None]:
            row("index", [s, i], lambda: s[i])
        for i, (lo, hi) in enumerate(itertools.product([None] + idx, [None] + idx)):
            if i % 2 and i > 60:
                continue
            row("slice", [s, lo, hi], lambda: s[lo:hi])
    for d, k in (({"a": 1}, "a"), ({"a": 1}, "b"), ({}, ""), ({"a": 1}, 1)):
        row("index", [d, k], lambda: d[k])
    for x, c in itertools.product(
        ["", "a", "ell", "z", 1, 1.0, 2.5, None, True, (1,), {"a": 1}], ["", "hello", "a", [], [1, "a", None], (1.0, "z"), [[1], (1,)], {"a": 1}, {}, {"": 0}, [True], None, 5]
    ):
        differs = None
        if c is None:
            row("in", [x, c], lambda: x in c, "nothing is in None", ours=False)
            continue
        if isinstance(x, bool) or isinstance(c, (list, tuple)) and any(isinstance(y, bool) for y in c):
            differs = lambda want: "a boolean is no number" if want is True and not (x is True and True in [y for y in c if y is True]) else None
        if isinstance(c, dict) and isinstance(x, dict):
            row("in", [x, c], lambda: x in c, "what is no text is no key", ours=False)
            continue
        row("in", [x, c], lambda: x in c, differs)
    for s in ["", "h\u00e9llo", [], [1, 2], (1,), {"a": 1}, 5, True]:
        row("len", [s], lambda: len(s))
    row("len", [None], lambda: len(None), "None has no text", ours=0)
    for s in [[], [1], [0], ["", 0], [0, "a"], (), (1,), {"a": 1}, {}, "ab", ""]:
        row("any", [s], lambda: any(s))
        row("all", [s], lambda: all(s))
    for s in [[], [1], [3, 1, 2], [1.5, 1], ["b", "a"], [[2], [1, 5]], [1, "a"], (4, 2), [1, 1.0], [1.0, 1], [2**53 + 1, 2.0**53]]:
        row("min", [s], lambda: min(s))
        row("max", [s], lambda: max(s))
        row("sum", [s], lambda: sum(s))
    row("sum", [[[1], [2]], []], lambda: sum([[1], [2]], []))
    row("sum", [["a"], ""], lambda: sum(["a"], ""))
    row("min", [3, 1, 2], lambda: min(3, 1, 2))
    row("max", [3, 1.5], lambda: max(3, 1.5))
    for v in [0, 1, 5, -3, 2.9, -2.9, 1e22, True, False, "12", " -7 ", "+5", "1_000", "_1", "1__0", "1_", "", "x", "1.5", "0x10", "007", "- 1", "1e3", None, [], "9" * 30, 1e308]:
        row("int", [v], lambda: finite(int(v)))
        row("float", [v], lambda: finite(float(v)))
    for v in ["1.5", ".5", "5.", ".", "1e5", "1E-5", "1e", "e5", "inf", "-inf", "nan", "Infinity", "1e400", "1_0.5", "1._5", "0x1p3", " 3.0\n", "1.2.3", "1e5.0", "--1", "1e+", "1e-3"]:
        row("float", [v], lambda: finite(float(v)))
    for v in [0, 1, "", "a", [], [0], {}, {"a": 1}, None, 0.0, -0.0, (), 2**70]:
        row("bool", [v], lambda: bool(v))
        row("list", [v], lambda: list(v), (lambda want: "None is empty") if v is None else None, **({"ours": []} if v is None else {}))
        row("tuple", [v], lambda: tuple(v), (lambda want: "None is empty") if v is None else None, **({"ours": ()} if v is None else {}))
    for v in [{}, {"a": 1}, [("a", 1)], [["a", 1], ["a", 2]], [("a",)], [1], "ab"]:
        row("dict", [v], lambda: dict(v))


def display():
    values = NUMBERS + OTHERS + [
        "it's", 'say "x"', "both ' and \"", "tab\t nl\n cr\r bs\\", "\x00\x1f\x7f\x80\xa0\xad", "\u2028\ufeff\ue000", "caf\u00e9 \U0001f600", "\u0378",
        [1, "a", None, True, 2.5], {"a": [1], "it's": {"b": "c"}}, (1,), (), (1, 2), [], {}, [[]], 1e15, 123456789.125, 1e-4, 0.00001234, 1.7976931348623157e308, 4.35, 1e100, 12345678901234567890.0,
    ]
    for v in values:
        row("str", [v], lambda: str(v))
        row("repr", [v], lambda: repr(v))
        row("dumps", [v], lambda: json.dumps(v))
    specs = ["", "5", "<8", ">8", "^9", "*^9", "\u00e9>6", "05", "+", " ", "+08", "d", "5d", "05d", "x", "X", "o", "b", "<6x", ",", ",d", ".2f", "8.3f", "08.2f", "+.1f", ",.2f", "e", ".0e", "E", "g", ".3g", ".10g", "G",
             "%", ".0%", ".1%", ".3", ".0f", "s", ".2s", "10.2s", "=8", "=+8", "0=8", "5.1", ".1", ".17", "q", "5.", "{}", "<<5", "=^7", "-", "-5", ".15g", "<5d", ">05"]
    floats = lambda v, s: isinstance(v, bool) or v is None or isinstance(v, (list, dict, tuple))
    for v in [0, 5, -42, 1234567, 2**70, 0.0, -0.0, 3.14159, -2.5, 1e-7, 123456789.0, 1e20, 0.5, 99.995, "", "abc", "caf\u00e9", True, None, [1]]:
        for s in specs:
            differs = None
            if isinstance(v, bool) and s != "":
                differs = lambda want: None if isinstance(want, dict) else "a boolean is no number"
            row("format", [v, s], lambda: format(v, s), differs)
    for t, args in [("{}", [1]), ("{} {}", ["a", 2]), ("{1} {0}", ["a", "b"]), ("{{}} {}", [1]), ("{0:>5}|{0:<5}", ["x"]), ("{!r}", ["x"]), ("{0[0]} {0[1]}", [[5, 6]]), ("{0[k]}", [{"k": 7}]), ("{", []),
                    ("}", []), ("{}", []), ("{2}", [1]), ("{0} {}", [1, 2]), ("{} {0}", [1, 2]), ("{:.2f}%", [12.345]), ("{!x}", [1]), ("{0!s:>4}", [12]), ("plain", [1]), ("", []), ("{{{}}}", [1]), ("{a}", [1])]:
        row("strformat", [t, args], lambda: t.format(*args))


JSON = [
    "null", "true", "false", "0", "-0", "1", "-1", "1.0", "1e5", "1E+5", "1e-5", "-0.0", "12345678901234567890", "0.1", "1.7976931348623157e308",
    '""', '"a"', '"\\u00e9"', '"\\ud83d\\ude00"', '"\\n\\t\\"\\\\\\/"', "[]", "[1]", "[1, 2]", "{}", '{"a": 1}', '{"a": {"b": [null]}}', " [ 1 , 2 ] ", "\n{}\t\r",
    "", " ", "nul", "True", "None", "01", "-", "+1", "1.", ".5", "1e", "1e+", "--1", "0x10", "[1,]", "[,]", "[1 2]", "{a: 1}", "{'a': 1}", '{"a"}', '{"a": }', '{"a": 1,}', "{,}", '{"a" 1}', "[", "]", "{", "}", '"', '"a', "'a'",
    '"\\x"', '"\\u12"', '"\\u12g4"', '"\t"', '"\n"', "1 2", "[] []", "// c\n1", "/* */ 1", "1_0", "[1]x", "\ufeff[]", "\u00a01", '"\x7f"', "[" * 20 + "]" * 20,
]
JSON_DIFFERS = {
    "NaN": "JSON has no NaN", "Infinity": "JSON has no infinities", "-Infinity": "JSON has no infinities", "1e400": "a number beyond a double is refused",
    '{"a": 1, "a": 2}': "a key that comes twice is refused", "[" * 65 + "]" * 65: "JSON deeper than 64 is refused",
}


def loads():
    for t in JSON:
        row("loads", [t], lambda: json.loads(t))
    for t, reason in JSON_DIFFERS.items():
        row("loads", [t], lambda: json.loads(t), reason)


PATTERNS = [
    r"", r"a", r"abc", r"a|b", r"a|ab", r"ab|a", r"|a", r"a|", r"a*", r"a+", r"a?", r"a*?", r"a+?", r"a??", r"a{2}", r"a{2,}", r"a{,2}", r"a{1,2}", r"a{1,2}?", r"a{0}", r"a{,}", r"a{", r"a{x}", r"a{1", r"{", r"x{}", r"a{1,2", r"}",
    r".", r".*", r".+", r".*?", r"^", r"$", r"^$", r"^a", r"a$", r"^abc$", r"\Aab", r"c\Z", r"^.*$", r"(?m)^", r"(?m)$", r"(?m)^\w+$", r"(?m)^a", r"(?s).*", r"(?s)a.b", r"(?m)$\n?^",
    r"\d", r"\d+", r"\D+", r"\w+", r"\W+", r"\s+", r"\S+", r"[\d.]+", r"[^\d]+", r"[\w-]+", r"[^\w\s]+", r"[^\W\d_]+", r"[\W]", r"[\D\S]", r"[\s\S]+", r"[^\s]", r"[\w.+-]+@[\w-]+\.[\w.-]+",
    r"\b", r"\B", r"\bcaf\w+", r"\b\w", r"\w\b", r"\bé", r"\Bn\B", r"\b日", r"(?a)\b", r"(?a)\w+", r"(?a)\d+", r"(?a)\s", r"(?a)[^\w]+", r"(?a)\bcaf\b", r"(?i)CAFÉ", r"(?i)abc", r"(?i)[a-z]+", r"(?i)[^a-z]+", r"(?i)k", r"(?i)s", r"(?i)[k]", r"(?i)\u212a",
    r"(?ai)k", r"(?ai)[k-s]+", r"(?i)stra\u00dfe", r"(?i:a)B", r"(?i:A|b)c", r"a(?-i:B)", r"(?i)a(?-i:b)c", r"(?i)[A-Z]{2,}", r"(?i)\u00c9", r"(?i)[\u00c0-\u00de]", r"(?i)\u03c3",
    r"[abc]", r"[a-c]+", r"[^abc]+", r"[]]", r"[]a]+", r"[^]]+", r"[^]a]", r"[a-]+", r"[-a]+", r"[a\-z]+", r"[\]]", r"[[]", r"[[a]", r"[a[b]c]", r"[a^]", r"[\^a]", r"[.]", r"[*+?]", r"[\b]", r"[\n\t]", r"[\x41-\x43]", r"[\u00e0-\u00ff]+", r"[\U0001f600-\U0001f64f]",
    r"[&&]", r"[a&&b]", r"[a||b]", r"[a~~b]", r"[\101-\103]", r"[\0]", r"[\d-]+", r"[+--]", r"[a-c-e]+", r"[$^]", r"[(]", r"[)]", r"[|]",
    r"(a)", r"(a)(b)", r"(?:a)", r"(?:ab)+", r"(?:ab)*", r"(?P<x>a)b", r"(a|b)*", r"(a*)*", r"(a*)+", r"(a+)+", r"(|a)*", r"(|a)+", r"(a|)*", r"(a?)*", r"(a??)*", r"(?:a?)*?b", r"(?:a|b*)*c", r"()", r"()*", r"(?:)", r"(?:)+", r"(a){2}", r"(?:a{2}){2}", r"((a)|b)+", r"(?:(?:(?:a)))",
    r"(?#comment)a", r"a(?#c)*", r"a(?#c)b", r"(?x) a b ", r"(?x)a # comment", r"(?x)a\ b", r"(?x)[ ]", r"(?x)a +", r"(?x: a b) c", r"(?x)a{ 1}", r"(?x)a\#b", r"(?s:.)b", r"(?s-i:.)", r"(?im)^A",
    r"\.", r"\*", r"\\", r"\/", r"\-", r"\ ", r"\_", r"\!", r"\"", r"\é", r"\a", r"\f", r"\n", r"\r", r"\t", r"\v", r"\x41", r"\u0041", r"\U00000041", r"\0", r"\01", r"\012", r"\101", r"\060", r"\x4a\x4B",
    r"https?://(?:[-\w.]|(?:%[\da-fA-F]{2}))+", r"\b\d{3}-\d{4}\b", r"X\d+Y", r"[A-Z]{2,4}\d{2}", r"^\s*$", r"(\w+)\s(\w+)", r"a.c", r"a.*c", r"a.*?c", r"\d{4}-\d{2}-\d{2}", r"(?:\+?\d{1,3}[ -]?)?\d{3}", r"^https://trusted\.com/.+", r"sk-[A-Za-z0-9]{4,}", r"rm\s+-rf?", r"\$\{?\w+\}?",
    r"^(?!abc)", r"^(?!a).*", r"(?!a)\w+", r"^(?!Peter$).*$", r"^(?!.*@ourcompany.com$).*$", r"(?!a|b).", r"(?i)^(?!ABC)\w+", r"(?!\d)\w", r"(?!)a", r"^(?!a)(?!b)\w+", r"(?m)^(?!a).*$", r"(?!\b)\w",
    r"\w*\b", r"(?:a|ab)(?:c|bcd)(?:d*)", r"a*a*a*b", r"x*", r"(?:x*)", r"[a-z]*\d*", r"(?:ab|a)(?:bc|c)?", r"e\u0301", r".\u0301", r"\U0001f44d.", r"^\W*$", r"\S*@\S*", r"[^@]+@", r"(?:[a-z]+,?)+", r"\A\Z", r"\A", r"\Z", r"a\Z", r"(?m)a\Z", r"(?m)\Aa",
]
BAD_PATTERNS = [
    r"*", r"+a", r"?", r"a**", r"a*??", r"a{2}{3}", r"a{2}*", r"{1}", r"(", r")", r"(?:", r"a)", r"(a", r"[", r"[a", r"[^]", r"[]", r"[z-a]", r"[a-\d]", r"[\d-a]", r"[a--b]", r"\z", r"\q", r"\Q", r"\E", r"\p{L}", r"\h", r"\x1", r"\u12", r"\U0011", r"\U00110000", r"\400", r"[\8]", r"[\400]",
    r"[\A]", r"[\Z]", r"[\B]", "\\", "[\\", r"a{3,2}", r"(?", r"(?P", r"(?P<", r"(?P<1>a)", r"(?P<a b>c)", r"(?P<a>x)(?P<a>y)", r"(?<a>x)", r"(?z)", r"(?i", r"a(?i)", r"(?:(?i)a)", r"(?i-i:a)", r"(?-:a)", r"(?L)a", r"(?au)a", r"(?#", r"(?Pa)", r"^*", r"$+", r"\b?", r"\A{2}", r"|*", r"(?i)*", r"(|*)", r"\8", r"\1", r"(?P=x)", r"\N", r"(?x)( ?:a)", r"(?x) *",
]
REFUSED = {
    r"(a)\1": "back-references are not supported", r"(?P<x>a)(?P=x)": "back-references are not supported", r"a(?=b)": "look-around is not supported", r"a(?!b)": "look-around is not supported", r"(?<=a)b": "look-around is not supported",
    r"(?<!a)b": "look-around is not supported", r"(?=a)a": "look-around is not supported", r"(?:(?!a)b)": "look-around is not supported", r"(?!a)b|c": "look-around is not supported", r"(?>a)": "atomic groups are not supported", r"a*+": "possessive quantifiers are not supported",
    r"a{1,2}+": "possessive quantifiers are not supported", r"(a)?(?(1)b|c)": "conditional groups are not supported", r"a{1001}": "repeats over 1000 are not supported", r"(?:a{100}){11}": "repeats over 1000 are not supported", r"(?a:\w)": "the flag a is for the whole pattern only", r"\N{BULLET}": "character names are not supported",
    r"\ud800": "a lone surrogate is no character",
}
MATCHED = [
    "", "a", "aa", "aaa", "b", "ab", "abc", "ABC", "aab", "abcabc", "a\nb", "abc\n", "\n", "caf\u00e9", "un caf\u00e9 na\u00efve", "\u65e5\u672c\u8a9e \u30c6\u30b9\u30c8", "123-4567 call 555", "user.name+tag@example.co.uk, x@y", "STRA\u00dfE stra\u00dfe Kk\u212a s\u017f",
    "Peter", "Peter Pan", "bob@ourcompany.com", "x\x1cy\u00a0z\u3000w", "\u0664\u0665 4", "a-b_c.d", "[x]]", "\U0001f600 ok \U0001f44d\U0001f3fd", "https://trusted.com/a%20b?c=d", "cafe\u0301", "aXb X12Y sk-abcd1234 $HOME ${A}", "line one\nline two\n", "{}^$\\/", "\u00c9t\u00e9 \u00e9",
]


def newline_differs(pattern, text):
    """`$` is the end of the text only."""
    return text.endswith("\n") and "$" in pattern and "(?m" not in pattern


def loop_differs(pattern, text):
    """RE2 has no rule of its own for a loop whose body was empty."""
    return pattern in (r"(|a)*", r"(|a)+", r"(a??)*") and "aa" in text


def regexps():
    row("texts", [], lambda: MATCHED)  # that the numbers in the rows below mean
    for p in PATTERNS:
        r = re.compile(p)
        whole = re.compile(p, re.S)
        for i, t in enumerate(MATCHED):
            differs = "$ is the end of the text only" if newline_differs(p, t) else None

            if loop_differs(p, t):
                differs = "after an empty match, a loop with an empty body goes on to its end"
            if p == r"\B" and t == "":
                differs = r"\B matches in an empty text, as in CPython from 3.14 on"

            def run():
                m = r.match(t)
                return [m.end() if m else None, whole.fullmatch(t) is not None, [list(m.span()) for m in r.finditer(t)]]

            ours = None
            if differs and newline_differs(p, t):
                q = p.replace("$", r"\Z")
                try:
                    s, w = re.compile(q), re.compile(q, re.S)
                    m = s.match(t)
                    ours = [m.end() if m else None, w.fullmatch(t) is not None, [list(m.span()) for m in s.finditer(t)]]
                    if ours == run():
                        differs = None
                except re.error:
                    differs = None
            row("regexp", [p, i], run, differs, **({"ours": ours} if ours else {}))
    for p in BAD_PATTERNS:
        row("compile", [p], lambda: re.compile(p) and None)
    for p, reason in REFUSED.items():
        row("compile", [p], lambda: re.compile(p) and None, reason)


def classes():
    """Every rune of a category, as ranges. Go knows a later Unicode: it may have
    more, but only what is unassigned here."""
    for name, f in (("word", lambda c: c.isalnum() or c == "_"), ("space", str.isspace), ("digit", str.isdecimal), ("unassigned", lambda c: unicodedata.category(c) == "Cn")):
        spans = []
        for cp in range(0x110000):
            if 0xD800 <= cp < 0xE000 or not f(chr(cp)):
                continue
            if spans and spans[-1][1] == cp - 1:
                spans[-1][1] = cp
            else:
                spans.append([cp, cp])
        ROWS.append({"op": "class", "args": [name], "want": spans})


methods()
arithmetic()
comparisons()
sequences()
display()
loads()
regexps()
classes()
for r in ROWS:
    json.dump(r, sys.stdout, ensure_ascii=True, separators=(",", ":"))
    sys.stdout.write("\n")
