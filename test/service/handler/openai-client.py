"""Calls our service with OpenAI's official client for Python and prints one JSON object. Arguments: two base URLs, see openai-client-python.faults.test.ts."""

import asyncio
import json
import sys

from openai import APIStatusError, AsyncOpenAI, OpenAI

PLAIN, STRICT = sys.argv[1:]
KEY = "sk-test-1"
INPUT = "My card was charged twice for one order, and nobody answers my e-mails."
ANGRY = {"type": "predicate", "instructions": "The customer is angry."}
TURNS = [
    {"role": "developer", "content": "You are the desk of a bank."},
    {"role": "user", "content": [{"type": "input_text", "text": INPUT}, {"type": "input_json", "data": {"plan": "family"}}]},
    {"type": "function_call", "call_id": "c1", "name": "charges", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c1", "output": "two charges of 40 euros"},
]
QUESTIONS = [
    {
        "type": "choice",
        "name": "topic",
        "instructions": "What is this about?",
        "choices": [{"value": "billing", "description": "Money, cards, invoices"}, {"value": True}, {"value": "true"}],
    },
    ANGRY,
    {"type": "score", "name": "severity", "instructions": "How severe is it?", "levels": [{"label": "trifle"}, {"label": "nuisance"}, {"label": "emergency"}]},
]
found = {"errors": {}}


def raised(name, call):
    try:
        call()
    except APIStatusError as error:
        found["errors"][name] = {
            "class": type(error).__name__,
            "status": error.status_code,
            "message": str(error),
            "code": error.code,
            "param": error.param,
            "type": error.type,
            "request_id": error.request_id,
            "retry_after": error.response.headers.get("retry-after"),
        }


with OpenAI(api_key=KEY, base_url=f"{PLAIN}/v1", max_retries=0) as client:

    def ask(**more):
        return client.decisions.create(**{"model": "gpt-6-luna", "input": INPUT, "questions": [ANGRY], **more})

    decision = ask(questions=QUESTIONS)
    found["decision"] = decision.model_dump(mode="json")
    found["classes"] = [type(answer).__name__ for answer in decision.answers]
    found["again"] = ask(questions=QUESTIONS, safety_identifier="someone", prompt_cache_key="desk").usage.model_dump()
    found["turns"] = ask(input=TURNS).model_dump(mode="json")
    raised("unknown model", lambda: ask(model="gpt-5"))
    raised("no questions", lambda: ask(questions=[]))
    raised("type", lambda: ask(questions=[{"type": "box", "instructions": "the dog"}]))
    raised("image", lambda: ask(input=[{"role": "user", "content": [{"type": "input_image", "image_url": "https://example.com/a.png"}]}]))
    raised("too long", lambda: ask(input="cat " * 20_000))

with OpenAI(api_key="sk-wrong", base_url=f"{STRICT}/v1", max_retries=0) as client:
    raised("wrong key", lambda: client.decisions.create(model="latest", input=INPUT, questions=[ANGRY]))
with OpenAI(api_key=KEY, base_url=f"{STRICT}/v1", max_retries=0) as client:
    raised("too often", lambda: [client.decisions.create(model="latest", input=INPUT, questions=[ANGRY]) for _ in range(3)])


async def many():
    async with AsyncOpenAI(api_key=KEY, base_url=f"{PLAIN}/v1") as client:
        decisions = await asyncio.gather(
            *(client.decisions.create(model="latest", input=f"Order {i} has {'arrived' if i % 2 else 'been lost'}.", questions=[ANGRY]) for i in range(8))
        )
        return [decision.answers[0].probability for decision in decisions]


found["many"] = asyncio.run(many())
print(json.dumps(found))
