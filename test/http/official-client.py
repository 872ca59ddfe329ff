"""Calls our service with the hosted service's official client for Python and prints one JSON object. Arguments: three base URLs, see official-client-python.test.ts."""

import asyncio
import json
import sys
import threading
import time

import httpx2
from typesafe_sdk import AsyncTypeSafeClient, Choice, Image, Noul, RetryPolicy, Score, TypeSafeClient, TypeSafeError

PLAIN, STRICT, NARROW = sys.argv[1:]
KEY = "sk-test-1"
ONCE = RetryPolicy(max_retries=0)
STATE = "My card was charged twice for one order, and nobody answers my e-mails."
QUESTIONS = {
    "topic": Choice(instructions="What is this about?", criteria={"billing": "Money, cards, invoices", "delivery": None}),
    "angry": Noul(instructions="Is the customer angry?"),
    "urgent": {"type": "noul", "criteria": {"true": "It must be answered today", "false": None}},
    "severity": Score(instructions={"task": "How severe is it?"}, criteria=["A trifle", {"level": "A nuisance"}, ["An", "emergency"]]),
}
QUESTION = {"angry": QUESTIONS["angry"]}
found = {}


def described(call):
    try:
        call()
    except TypeSafeError as error:
        return {
            "class": type(error).__name__,
            "message": str(error),
            "request_id": getattr(error, "request_id", None),
            "retry_after_ms": getattr(error, "retry_after_ms", None),
        }
    return None


def answered(response):
    return json.loads(response.raw_http_response.content)


encodings = []
http_client = httpx2.Client(timeout=30, event_hooks={"request": [lambda request: encodings.append(request.headers.get("content-encoding"))]})
with TypeSafeClient(api_key=KEY, base_url=PLAIN, http_client=http_client) as client, TypeSafeClient(
    api_key=KEY, base_url=PLAIN, compression=False
) as uncompressed:
    response = client.system_one(state=STATE, questions=QUESTIONS)
    found["answers"] = answered(response)
    found["parsed"] = {
        "choice": response.choices["topic"].choice,
        "nouls": sorted(response.nouls),
        "legend": sorted(response.scores["severity"].legend),
        "model": response.model,
    }
    found["models"] = [model.model_dump() for model in client.models.list().models]
    encodings.clear()
    found["compressed"] = []
    for size in (300, 600, 1_500, 4_000):
        state = {"note": ("état 中文 😀 the parcel arrived late; " * 200)[:size], "size": size}
        same = answered(client.system_one(state=state, questions=QUESTION)) == answered(uncompressed.system_one(state=state, questions=QUESTION))
        found["compressed"].append([encodings[-1], same])
    try:
        client.system_one(state="word " * 250_000, questions=QUESTION, retry=ONCE)
    except TypeSafeError as error:
        found["bomb"] = [type(error).__name__, str(error)]

    found["errors"] = {
        "422": described(lambda: client.system_one(state=STATE, questions={"where": {"type": "box", "instructions": "the dog"}})),
        "404": described(lambda: client.system_one(state=STATE, questions=QUESTION, model="gpt")),
        "413": described(lambda: client.system_one(state="cat " * 20_000, questions=QUESTION)),
        "400": described(lambda: client.system_one(state=Image(b"\x89PNG\r\n\x1a\n" + bytes(40)), questions=QUESTION)),
        "timeout": described(lambda: client.system_one(state="cat " * 12_000, questions=QUESTION, timeout=0.05, retry=ONCE)),
    }

with TypeSafeClient(api_key="sk-wrong", base_url=STRICT, retry=ONCE) as client:
    found["errors"]["401"] = described(lambda: client.models.list())
with TypeSafeClient(api_key=KEY, base_url=STRICT, retry=ONCE) as client:
    found["errors"]["429"] = described(lambda: [client.system_one(state=STATE, questions=QUESTION) for _ in range(3)])


async def many():
    async with AsyncTypeSafeClient(api_key=KEY, base_url=PLAIN, timeout=60) as client:
        states = [f"Order {i} has {'arrived' if i % 2 else 'been lost'}." for i in range(12)]
        return [answered(response) for response in await asyncio.gather(*(client.system_one(state=s, questions=QUESTION) for s in states))]


found["many"] = asyncio.run(many())

# This service has no queue. While the first request runs, the second one is refused with Retry-After; it is answered once the first has timed out.
with TypeSafeClient(api_key=KEY, base_url=NARROW, timeout=60) as client:
    options = {str(i): None for i in range(255)}
    long_question = {"which": Choice(instructions="Which animal is it about?", criteria=options)}
    first = threading.Thread(target=lambda: described(lambda: client.system_one(state="cat " * 12_000, questions=long_question, timeout=1, retry=ONCE)))
    first.start()
    time.sleep(0.5)
    retried = client.system_one(state=STATE, questions=QUESTION, retry=RetryPolicy(max_retries=5, timeout=60))
    first.join()
    found["retried"] = answered(retried)

print(json.dumps(found))
