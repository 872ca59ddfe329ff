import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { umpire } from "../../support/command-line.ts";
import { tempDir } from "../../support/temp-dir.ts";

const CSV = "text,label\nThe parcel came late.,delivery\nI was charged twice.,billing\n";
const DECISION = '{"state":"Omar paid.","questions":{"paid":{"type":"noul","instructions":"Has Omar paid?","answer":true}}}';
const MIXED = `${DECISION}\n{"state":"Lovely","questions":{"mood":{"type":"score","instructions":"How?","criteria":["a","b"],"answer":1}}}`;
const OWN_OPTIONS = '{"text":"a","label":"b","options":["b","c"]}\n{"text":"d","label":"e","options":["e","f"]}';
const TEAM = '{"type":"choice","instructions":"Which team?","criteria":{"delivery":null,"billing":null}}';

const folder = tempDir();
const at = (name: string): string => join(folder, name);
const private_ = "private words";
it.each<[what: string, name: string, content: string, args: string[], message: RegExp]>([
  ["no such file", "", "", [], /nowhere\.csv cannot be read: there is no such file/u],
  ["another kind of file", "a.txt", private_, [], /must end in \.jsonl, \.ndjson, \.json, \.csv or \.tsv/u],
  ["a column that is missing", "b.csv", `words,label\n${private_},a\n`, [], /b\.csv has no column text: the columns are words, label\./u],
  [
    "other columns",
    "c.csv",
    `words,${private_}\na,b\n`,
    [],
    /c\.csv has no column text and label: the columns are words, column 2 \(names with blanks or signs are not shown\)\. Name them with --text-column and --label-column\./u,
  ],
  [
    "many columns",
    "c2.csv",
    `${Array.from({ length: 14 }, (_, i) => `c${i}`).join(",")}\n${"a,".repeat(13)}b\n`,
    ["--text-column", "c1"],
    /has no column label: the columns are c0, .*, c11 and 2 more\./u,
  ],
  ["a state without questions or a label", "c3.jsonl", '{"state":"a"}', [], /c3\.jsonl has no column label: the columns are state\./u],
  [
    "two columns that may be the text",
    "c5.csv",
    "state,text,label\nCA,a,b\n",
    [],
    /the columns state and text: either may be the text\. Name it with --text-column\./u,
  ],
  ["a label that is no text", "c4.jsonl", '{"text":"a","label":5}', [], /line 1: must have a string as label, but has a number/u],
  ["a row with too many columns", "d.csv", `text,label\n${private_},a,b\n`, [], /line 2: has 3 columns, but the first line names 2/u],
  ["an open quote", "e.csv", `text,label\n"${private_},a\n`, [], /line 2, column 1: a quote is not closed/u],
  ["a quote inside a field", "f.csv", `text,label\na,${private_}"b\n`, [], /line 2, column 2: a quote is inside a field/u],
  ["a column named twice", "g.csv", `text,label,text\na,b,c\n`, [], /line 1: has the same column name twice, in columns 1 and 3/u],
  ["no rows", "h.csv", "text,label\n", [], /has no rows under its line of column names/u],
  ["broken JSON", "i.jsonl", `{"text":"b", ${private_}`, [], /line 1: must be one JSON object/u],
  [
    "one label only",
    "j.csv",
    `text,label\n${private_},a\n`,
    [],
    /j\.csv: all labels are the same: give --options with at least 2 of them\./u,
  ],
  [
    "a label that is no option",
    "k.csv",
    `text,label\n${private_},zebra\n`,
    ["--options", "two.json"],
    /line 2: has a label that is not among the options: add it to --options, or correct the row\./u,
  ],
  [
    "a label that is none of its row's options",
    "k2.jsonl",
    `{"text":"a","label":"b","options":["c","d"]}`,
    [],
    /line 1: has a label that is not among its options\./u,
  ],
  [
    "criteria that are a list",
    "l.csv",
    `text,label\na,b\n`,
    ["--options", "list.json"],
    /must be an object with a description for each option/u,
  ],
  ["a threshold above 1", "m.csv", CSV, ["--threshold", "2"], /'--threshold <accuracy>'.* must be a number from 0 to 1/u],
  ["criteria for rows with questions", "p.jsonl", DECISION, ["--options", "two.json"], /leave out .*--options/u],
  ["results to be written over a folder", "q.csv", CSV, ["--out", "."], /\. is a folder/u],
  ["instructions for rows with questions", "n.jsonl", DECISION, ["--instructions", "Why?"], /has its own questions/u],
  ["criteria for a question that has its own", "r.csv", CSV, ["team.json", "--options", "two.json"], /The question has its own criteria/u],
  [
    "instructions for several questions",
    "s.csv",
    CSV,
    ["team.json", "team2.json", "--instructions", "Why?"],
    /Give one question with --instructions/u,
  ],
  ["one wording twice", "t.csv", CSV, ["--instructions", "Why?", "--instructions", "Why?"], /Two wordings are the same/u],
  [
    "a threshold of no figure",
    "u.csv",
    CSV,
    ["--require", "precision>=.8"],
    /'--require <threshold>'.* must be like one of accuracy>=\.85, macro-f1>=\.8, calibration-error<=\.1, log-loss<=\.5, act@\.05>=\.4, act-errors@/u,
  ],
  ["a figure that questions of several kinds do not have", "v.jsonl", MIXED, ["--require", "macro-f1>=.8"], /have no macro-F1/u],
  ["a question to be written of rows that have their own", "w.jsonl", MIXED, ["--write", "best.json"], /leave out --write/u],
  ["a question to be written of rows with their own options", "x.jsonl", OWN_OPTIONS, ["--write", "best.json"], /leave out --write/u],
  ["wordings for rows with questions", "y.jsonl", DECISION, ["--instructions", "A?", "--instructions", "B?"], /has its own questions/u],
  [
    "results in a file that is no folder",
    "o.csv",
    CSV,
    ["--write", "two.json/best.json"],
    /best\.json cannot be written: .*two\.json is a file, and no/u,
  ],
])("umpire eval ends with exit code 2 for %s, naming the place and never the text", async (_, name, content, args, message) => {
  await writeFile(at("two.json"), '{"a": null, "b": "more"}');
  await writeFile(at("list.json"), '["a", "b"]');
  for (const name of ["team.json", "team2.json"]) await writeFile(at(name), TEAM);
  const file = at(name === "" ? "nowhere.csv" : name);
  if (name !== "") await writeFile(file, content);
  const { code, stdout, stderr } = await umpire(["eval", file, ...args.map((arg) => (arg.endsWith(".json") ? at(arg) : arg))]);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain(private_);
  expect([code, stdout]).toEqual([2, ""]);
});
