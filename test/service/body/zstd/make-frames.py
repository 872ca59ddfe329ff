"""Writes frames.json: zstd as the reference encoder makes it. Run: pip install backports.zstd==1.8.0 && python make-frames.py"""

import base64
import hashlib
import json
import random
from pathlib import Path

from backports import zstd
from backports.zstd import CompressionParameter as Parameter

random.seed(7)
WORDS = "the parcel arrived late customer refund angry is not invoice état 中文 😀 plan account charge".split()


def text(size):
    return " ".join(random.choice(WORDS) for _ in range(size)).encode()[:size].decode(errors="ignore").encode()


def skewed(size):
    return bytes(min(255, int(random.expovariate(0.3))) for _ in range(size))


frames = []


def add(name, frame, content):
    frames.append(
        {
            "name": name,
            "frame": base64.b64encode(frame).decode(),
            "sizeBytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        }
    )


def streamed(content, pieces, options):
    compressor = zstd.ZstdCompressor(options=options)
    size = len(content) // pieces + 1
    parts = [compressor.compress(content[i : i + size], compressor.FLUSH_BLOCK) for i in range(0, len(content), size)]
    return b"".join(parts) + compressor.flush()


for size in (0, 1, 7, 40, 300, 1024, 4000):
    content = text(size)
    add(f"text of {size}", zstd.compress(content), content)
for level in (-50, -1, 1, 5, 9, 13, 19, 22):
    content = text(2000)
    add(f"text of 2000, level {level}", zstd.compress(content, level), content)
for strategy in range(1, 10):
    content = text(1500)
    add(f"text of 1500, strategy {strategy}", zstd.compress(content, options={Parameter.strategy: strategy}), content)
for size in (256, 3000):
    content = random.randbytes(size)
    add(f"noise of {size}", zstd.compress(content), content)
for size in (256, 3000, 9000):
    content = skewed(size)
    add(f"skewed bytes of {size}", zstd.compress(content), content)
for size in (131072, 131073, 500000):
    content = b"ab" * (size // 2) + b"a" * (size % 2)
    add(f"repetition of {size}", zstd.compress(content), content)
content = b"".join(text(50) * 40 for _ in range(150))
add("several blocks", zstd.compress(content, 19), content)
content = text(6000)
add("a stream in pieces, with a checksum", streamed(content, 12, {Parameter.checksum_flag: 1}), content)
add("a stream for a window of 128 MiB", streamed(content, 1, {Parameter.window_log: 27}), content)
add("a window of 1 KiB", zstd.compress(content, options={Parameter.window_log: 10}), content)
skippable = b"\x53\x2a\x4d\x18\x05\x00\x00\x00hello"
add("two frames and a skippable one", zstd.compress(content[:3000]) + skippable + zstd.compress(content[3000:], 19), content)

Path(__file__).with_name("frames.json").write_text(json.dumps(frames, indent=1) + "\n")
