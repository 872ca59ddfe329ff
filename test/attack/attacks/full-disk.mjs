import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { chargesIn } from "../charges.mjs";
import { newFolder } from "../clean-up.mjs";
import { shortRequest } from "../requests.mjs";
import { mayMount, onSmallDisk } from "../shared.mjs";

const REQUESTS = 3000;
const REFUSALS = 5;

export const fullDisk = {
  name: "a ledger on a full disk",
  promise: "503 while it is full, each answer charged once, 200 once there is space",
  seconds: { short: 15, full: 30 },
  async run({ seen, start }) {
    if (!mayMount) return seen.note("not tried: this machine allows no mounts");
    const disk = newFolder();
    // The ledger is made before its disk is there, so it is brought there.
    const prepare = `cp "$1"/credits.db* "$0"/ && head -c 600000 /dev/zero > "$0/filler" && shift`;
    const prefix = (folder) => [...onSmallDisk(prepare), disk, folder];
    const target = await start({ keys: ["attacker"], credits: {}, honest: false, disk, prefix }, { statuses: [503] });
    const seenInside = `/proc/${target.pid}/root${disk}`;
    const answered = new Set();
    const ask = async (expected) => {
      const id = `disk-${seen.tries}`;
      const reply = await target.ask(shortRequest, { headers: { "x-request-id": id } });
      seen.reply(reply, expected);
      if (reply.status === 200) answered.add(id);
      return reply.status;
    };
    for (let i = 0, refusals = 0; i < REQUESTS && refusals < REFUSALS; i++) if ((await ask([200, 503])) === 503) refusals++;
    seen.expect(seen.statuses[503] >= REFUSALS, "the disk was not full");
    await rm(join(seenInside, "filler"));
    for (let i = 0; i < REFUSALS; i++) await ask([200]);
    const copy = newFolder();
    await cp(seenInside, copy, { recursive: true });
    const { charges, twice, isExact } = await chargesIn(join(copy, "credits.db"));
    seen.note(`${charges.size} charges for ${answered.size} answers`);
    seen.expect(twice === 0 && isExact, "charges are counted twice");
    seen.expect(
      [...answered].every((id) => charges.has(id)),
      "answers are not charged",
    );
    seen.expect(
      [...charges.keys()].every((id) => answered.has(id)),
      "charges without an answer",
    );
  },
};
