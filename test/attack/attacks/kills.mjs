import { setTimeout as sleep } from "node:timers/promises";
import { chargesIn } from "../charges.mjs";
import { PayingClient, costOf, freeFixedPort, isAnswered, keyEntries, statusesOf } from "../shared.mjs";
import { writeFile } from "node:fs/promises";

const ACCOUNTS = ["mail", "shop", "blog", "docs"];

async function untilAnswered(clients, more) {
  const answered = () => clients.flatMap(({ requests }) => requests).filter(isAnswered).length;
  const enough = answered() + more;
  while (answered() < enough) await sleep(5);
}

/** Clients of four paying keys, at a server whose secrets they know. */
async function payingClients(target, needs) {
  await writeFile(target.keyFile, JSON.stringify({ keys: await keyEntries(ACCOUNTS) }));
  await target.restart(needs);
  const clients = ACCOUNTS.map((account) => new PayingClient(account, target.url));
  return { clients, runs: clients.map((client) => client.run()), requests: () => clients.flatMap((client) => client.requests) };
}

/** Each charge is for an answer that a client saw, or that was on its way at a kill; each answer seen is charged once, at its price. */
async function recount(seen, target, requests, onTheWay) {
  const { charges, twice, isExact } = await chargesIn(target.ledgerFile);
  const answered = requests.filter(isAnswered);
  const priceOf = ({ outcomes }) => costOf(outcomes.find(({ status }) => status === 200).body);
  seen.note(`${charges.size} charges for ${answered.length} answers`);
  seen.expect(twice === 0, `${twice} requests are charged twice`);
  seen.expect(isExact, "the balances are not the sums of the entries");
  const unpaid = answered.filter((request) => charges.get(request.id) !== priceOf(request)).length;
  seen.expect(unpaid === 0, `${unpaid} answers are not charged, or at another price`);
  const known = new Set(answered.map(({ id }) => id));
  const free = [...charges.keys()].filter((id) => !known.has(id) && !onTheWay.has(id)).length;
  seen.expect(free === 0, `${free} charges without an answer`);
}

export const killedServer = {
  name: "`kill -9` of the server, under load, with a ledger",
  promise: "each answer is charged once; beyond that, only answers on their way",
  needs: { keys: ACCOUNTS, credits: {}, honest: false, watched: false },
  seconds: { short: 10, full: 60 },
  async run({ target, seen, short }) {
    const kills = short ? 3 : 20;
    const needs = { keys: ACCOUNTS, credits: {}, port: await freeFixedPort() };
    const { clients, runs, requests } = await payingClients(target, needs);
    const onTheWay = new Set();
    for (let kill = 1; kill <= kills; kill++) {
      await untilAnswered(clients, clients.length * 2);
      await sleep((kill * 37) % 200);
      for (const client of clients) onTheWay.add(client.requests.at(-1).id);
      await target.stop("SIGKILL");
      await target.restart(needs);
    }
    await untilAnswered(clients, clients.length);
    for (const client of clients) client.stop();
    await Promise.all(runs);
    for (const status of statusesOf(requests())) seen.reply({ status, text: "" }, [200, "broken"]);
    seen.note(`${kills} kills`);
    await recount(seen, target, requests(), onTheWay);
  },
};

export const killedWorker = {
  name: "the model's worker ends, under load, with a ledger",
  promise: "only what it was answering gets 503, and is not charged",
  needs: { keys: ACCOUNTS, credits: {}, honest: false, watched: false },
  allows: { statuses: [503] },
  seconds: { short: 10, full: 60 },
  async run({ target, seen, short }) {
    const kills = short ? 5 : 50;
    const { clients, runs, requests } = await payingClients(target, { keys: ACCOUNTS, credits: {}, inside: "inside-end-worker.mjs" });
    for (let kill = 1; kill <= kills; kill++) {
      await untilAnswered(clients, clients.length);
      await sleep((kill * 7) % 50);
      target.signal("SIGUSR2");
    }
    await untilAnswered(clients, 20);
    for (const client of clients) client.stop();
    await Promise.all(runs);
    for (const status of statusesOf(requests())) seen.reply({ status, text: "" }, [200, 503]);
    seen.expect((seen.statuses[503] ?? 0) <= kills, `${seen.statuses[503]} requests lost by ${kills} kills`);
    await recount(seen, target, requests(), new Set());
  },
};
