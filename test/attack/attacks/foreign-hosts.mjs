import { shortRequest } from "../requests.mjs";

const FOREIGN = ["attacker.example", "attacker.example:8780", "127.0.0.1.attacker.example", "localhost.attacker.example"];
const OWN = ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"];
const PAGES = ["/metrics", "/openapi.json", "/decision/v1/models"];
const NAME = "umpire.example";

/** A page that makes its own name point to this machine. */
export const foreignHosts = {
  name: "Host of another name, without keys (a page that rebinds its name)",
  promise: "421, but for loopback names, addresses, and names of `--host-name`",
  needs: {},
  seconds: { short: 1, full: 1 },
  async run({ target, seen, start }) {
    for (const host of FOREIGN) await visit(target, seen, host, 421);
    for (const host of OWN) await visit(target, seen, `${host}:${target.port}`, 200);
    const named = await start({ flags: ["--host-name", NAME] });
    await visit(named, seen, NAME, 200);
    await visit(named, seen, "attacker.example", 421);
  },
};

async function visit(target, seen, host, expected) {
  const replies = [
    await target.ask(shortRequest, { headers: { host } }),
    ...(await Promise.all(PAGES.map((page) => target.get(page, { headers: { host } })))),
  ];
  for (const reply of replies) {
    seen.reply(reply);
    seen.expect(reply.status === expected, `${host}: ${reply.status}`);
  }
}
