// A service that routes support tickets and passes unclear ones to a person.
//   PORT=8080 node examples/route-tickets.mjs
//   curl -d '{"text": "My parcel never arrived."}' http://localhost:8080/tickets
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { createDecider, DecideError } from "umpire";

/** A person decides where fewer than this share of such answers were right. Raise it if wrong routes are expensive; lower it if people's time is. */
const MIN_ACCURACY = 0.8;
const PERSON = "front_desk";

const QUESTIONS = {
  team: {
    type: "choice",
    instructions: "Which team should handle this?",
    criteria: { billing_and_refunds: null, app_errors: null, prices_and_offers: null, parcel_delivery: null },
  },
  hurry: { type: "score", instructions: "How urgent is it?", criteria: ["no hurry", "this week", "today"] },
};

const decider = await createDecider();
const server = createServer(async (request, response) => {
  const reply = (status, body) => response.writeHead(status, { "content-type": "application/json" }).end(`${JSON.stringify(body)}\n`);
  if (request.method !== "POST" || request.url !== "/tickets") return reply(404, { error: "POST /tickets" });
  try {
    const { text } = await json(request);
    if (typeof text !== "string") throw new TypeError("no text");
    const { team, hurry } = (await decider.decide({ state: text, questions: QUESTIONS })).answers;
    const { choice, x_accuracy: accuracy = 0 } = team;
    reply(200, { route: accuracy >= MIN_ACCURACY ? choice : PERSON, guess: choice, accuracy, hurry: hurry.score });
  } catch (error) {
    if (DecideError.isInstance(error)) reply(error.status, { error: error.message, issues: error.issues });
    else reply(400, { error: 'The body must be JSON: {"text": "…"}' });
  }
});
server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => console.log(`listening on port ${server.address().port}`));

process.once("SIGTERM", () => {
  // Tickets already received are still answered.
  server.close(() => void decider.close());
});
