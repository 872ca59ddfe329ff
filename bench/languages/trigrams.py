"""Makes TRIGRAMS of src/library/engine/language.ts: python3 trigrams.py <data folder>. Needs `pip install langdetect`.

Counts of letters come from the profiles of langdetect (Apache-2.0, made of Wikipedia's pages) for twenty languages, and from the train side of the data
folder for English. Nothing is read of this folder's own texts.
"""
import collections, glob, gzip, json, math, os, random, re, sys, unicodedata

import langdetect

LANGUAGES = "es fr de pt it nl pl sv da no fi cs ro hu tr id vi sw tl ca".split()
KEPT = 900
LEAST = 3e-6
PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"})


def plain(text):
    letters = unicodedata.normalize("NFD", text.lower().translate(PLAIN))
    return "".join(c for c in letters if not unicodedata.combining(c))


def profile(language):
    with open(os.path.join(os.path.dirname(langdetect.__file__), "profiles", language), encoding="utf-8") as file:
        counts = collections.Counter()
        for letters, n in json.load(file)["freq"].items():
            trigram = plain(letters.replace(" ", "_"))
            if len(letters) == 3 and re.fullmatch("[a-z_]{3}", trigram):
                counts[trigram] += n
    return shares(counts)


def shares(counts):
    total = sum(counts.values())
    return {key: n / total for key, n in counts.items()}


def english(data):
    random.seed(5)
    counts = collections.Counter()
    for kind, most in (("cls", 100), ("decisions", 60)):
        for path in sorted(glob.glob(f"{data}/{kind}/train/*.jsonl.gz")):
            rows = [json.loads(line) for line in gzip.open(path, "rt")]
            texts = [row.get("text", row.get("state")) for row in rows]
            texts = [text for text in texts if isinstance(text, str)]
            if "http_payload" in path or "loghub" in path:
                continue
            for text in random.sample(texts, min(most, len(texts))):
                for word in re.findall(r"[^\W\d_]+", text[:1500]):
                    whole = f"_{plain(word)}_"
                    if whole.isascii():
                        counts.update(whole[i : i + 3] for i in range(len(whole) - 2))
    return shares(counts)


def main(data):
    others = [profile(language) for language in LANGUAGES]
    written, encyclopedia = english(data), profile("en")
    scored = []
    for trigram in set(written) | set(encyclopedia) | {t for one in others for t in one}:
        in_english = 0.65 * written.get(trigram, 0) + 0.35 * encyclopedia.get(trigram, 0)
        shares_of_others = [one.get(trigram, 0) for one in others]
        elsewhere = sum(shares_of_others) / len(others)
        says = math.log((elsewhere + LEAST) / (in_english + LEAST))
        frequent = 0.35 * elsewhere + 0.0375 * max(shares_of_others) + 0.5 * in_english
        scored.append((abs(says) * frequent, trigram, says))
    kept = sorted(scored, reverse=True)[:KEPT]
    for name, isIn in (
        ("muchMore", lambda says: says > 1.6),
        ("more", lambda says: 0.45 < says <= 1.6),
        ("less", lambda says: -1.6 <= says < -0.45),
        ("muchLess", lambda says: says < -1.6),
    ):
        text = "".join(sorted(trigram for _, trigram, says in kept if isIn(says)))
        print(f"  {name}: `")
        for i in range(0, len(text), 147):
            print(text[i : i + 147])
        print("`,")


main(sys.argv[1])
