"""Calls our service with the hosted service's official client for Python and prints one JSON object. Arguments: three base URLs, and zstd if the service has it, see official-client-python.faults.test.ts."""

import asyncio
import http.client
import json
import sys
import threading
from urllib.parse import urlsplit

import httpx2
from typesafe_sdk import AsyncTypeSafeClient, Choice, Image, Noul, RetryPolicy, Score, TypeSafeClient, TypeSafeError

PLAIN, STRICT, NARROW, *HAS = sys.argv[1:]
# The client has no fallback for a service without zstd.
COMPRESSION = {} if "zstd" in HAS else {"compression": False}
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
            "detail": (getattr(error, "body", None) or {}).get("detail"),
            "request_id": getattr(error, "request_id", None),
            "retry_after_ms": getattr(error, "retry_after_ms", None),
        }
    return None


def answered(response):
    return json.loads(response.raw_http_response.content)


encodings = []
http_client = httpx2.Client(timeout=600, event_hooks={"request": [lambda request: encodings.append(request.headers.get("content-encoding"))]})
with TypeSafeClient(api_key=KEY, base_url=PLAIN, http_client=http_client, **COMPRESSION) as client, TypeSafeClient(
    api_key=KEY, base_url=PLAIN, compression=False, timeout=600
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
        "not JSON": described(lambda: client.system_one(state=Image(b"\x89PNG\r\n\x1a\n" + bytes(40)), questions=QUESTION)),
        "timeout": described(lambda: client.system_one(state="cat " * 12_000, questions=QUESTION, timeout=0.05, retry=ONCE)),
    }

with TypeSafeClient(api_key="sk-wrong", base_url=STRICT, retry=ONCE, timeout=600, **COMPRESSION) as client:
    found["errors"]["401"] = described(lambda: client.models.list())
with TypeSafeClient(api_key=KEY, base_url=STRICT, retry=ONCE, timeout=600, **COMPRESSION) as client:
    found["errors"]["429"] = described(lambda: [client.system_one(state=STATE, questions=QUESTION) for _ in range(3)])


async def many():
    async with AsyncTypeSafeClient(api_key=KEY, base_url=PLAIN, timeout=600, **COMPRESSION) as client:
        states = [f"Order {i} has {'arrived' if i % 2 else 'been lost'}." for i in range(12)]
        return [answered(response) for response in await asyncio.gather(*(client.system_one(state=s, questions=QUESTION) for s in states))]


found["many"] = asyncio.run(many())

# This service has no queue. While another client's long request runs, this client is refused with Retry-After; it is answered once the other has hung up.
refused = threading.Event()
http_client = httpx2.Client(timeout=600, event_hooks={"response": [lambda response: refused.set() if response.status_code == 529 else None]})
other = http.client.HTTPConnection(urlsplit(NARROW).netloc)
criteria = {str(i): None for i in range(255)}
questions = {"which": {"type": "choice", "instructions": "Which animal is it about?", "criteria": criteria}}
other.request("POST", "/v1/systemone", json.dumps({"model": "latest", "state": "cat " * 12_000, "questions": questions}))
with TypeSafeClient(api_key=KEY, base_url=NARROW, http_client=http_client, **COMPRESSION) as client:
    while not refused.is_set():
        described(lambda: client.system_one(state=STATE, questions=QUESTION, retry=ONCE))
    refused.clear()

    def retry():
        found["retried"] = answered(client.system_one(state=STATE, questions=QUESTION, retry=RetryPolicy(max_retries=100, timeout=600)))

    retrying = threading.Thread(target=retry)
    retrying.start()
    refused.wait()
    other.close()
    retrying.join()

print(json.dumps(found))
