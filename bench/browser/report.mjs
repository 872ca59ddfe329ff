// Formats the printed tables and the targets.

/** On one thread; that against q8 is also a row of `npm run bench`. */
const TARGETS = [
  { name: "peer", least: 8 },
  { name: "peer q8", least: 10 },
];
const TARGET_SCRIPT_KB = 30;

const ms = (value) =>
  value === undefined ? "" : value >= 10_000 ? `${(value / 1000).toFixed(1)} s` : `${value.toFixed(value < 100 ? 1 : 0)} ms`;
const kb = (bytes) => (bytes === undefined ? "" : bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e3).toFixed(1)} kB`);
const ratio = (own, peers) => `${(peers / own).toFixed(1)} x`;
const sum = (values) => Object.values(values).reduce((all, one) => all + one, 0);
const verdict = (reached) => (reached ? "reached" : "NOT REACHED");

export function warmTable(warm) {
  return Object.fromEntries(
    Object.entries(warm).map(([threads, row]) => [
      `wasm, ${threads} thread${threads === "1" ? "" : "s"}`,
      {
        ...Object.fromEntries(
          Object.entries(row).map(([name, { medianMs, p95Ms }]) => [`${name} (p95)`, `${ms(medianMs)} (${ms(p95Ms)})`]),
        ),
        "peer / umpire": ratio(row.umpire.medianMs, row.peer.medianMs),
        "peer q8 / umpire": ratio(row.umpire.medianMs, row["peer q8"].medianMs),
        "peer / umpire fp32": ratio(row["umpire fp32"].medianMs, row.peer.medianMs),
      },
    ]),
  );
}

export function webgpuTable(webgpu) {
  return Object.fromEntries(
    Object.entries(webgpu).map(([name, { shortMs, ms: fullMs, info, failure }]) => [
      name,
      {
        precision: info?.precision ?? info?.dtype ?? "",
        "3 short options": ms(shortMs),
        "10 options, 144 tokens": ms(fullMs),
        failure: failure ?? "",
      },
    ]),
  );
}

/** Splits the time to the first answer into stages. Only umpire reports when its files have arrived. */
export function visitTable(visits) {
  const row = ({ at, bytes }) => {
    const { page: _, ...files } = bytes;
    const stages = at.fetched === undefined ? {} : { "script, worker": ms(at.firstByte), files: ms(at.fetched - at.firstByte) };
    return {
      "to first answer": ms(at.answer),
      ...stages,
      [at.fetched === undefined ? "loading" : "compile, session, self-test"]: ms(at.loaded - (at.fetched ?? at.script)),
      answer: ms(at.answer - at.loaded),
      fetched: kb(sum(files)),
    };
  };
  return Object.fromEntries(
    Object.entries(visits).flatMap(([name, { first, second }]) => [
      [`${name}, first visit`, row(first)],
      [`${name}, second visit`, row(second)],
    ]),
  );
}

export function sizeTable(sizes) {
  const shown = (all) => Object.fromEntries(Object.entries(all).map(([name, bytes]) => [name, kb(bytes)]));
  return Object.fromEntries(
    Object.entries(sizes).flatMap(([name, groups]) => Object.entries(groups).map(([group, all]) => [`${name}: ${group}`, shown(all)])),
  );
}

/** Returns one line for each target. */
export function targetLines({ warm, visits, sizes }) {
  const { gzip } = sizes.umpire.JavaScript;
  const { page: _, ...files } = visits.umpire.first.bytes;
  return [
    ...TARGETS.map(({ name, least }) => {
      const times = warm[1][name].medianMs / warm[1].umpire.medianMs;
      return `${verdict(times >= least)}: at least ${least} times as fast as the ${name}, on wasm with 1 thread: ${times.toFixed(1)}`;
    }),
    `${verdict(gzip <= TARGET_SCRIPT_KB * 1e3)}: our own JavaScript, without the runtime, at most ${TARGET_SCRIPT_KB} kB gzipped: ${kb(gzip)}`,
    `for information: a first visit on wasm fetches ${kb(sum(files))}, or ${kb(sum(Object.values(sizes.umpire).map((group) => group.gzip)))} if the server uses gzip`,
  ];
}
