import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { featuresFrom, isAtLeast, processorLimit } from "../../../src/tools/doctor/machine.ts";
import { tempDir } from "../../support/temp-dir.ts";

test.each([
  ["20.19.0", true],
  ["20.19.5", true],
  ["22.0.0", true],
  ["20.9.0", false],
  ["20.18.3", false],
  ["18.20.4", false],
])("Node %s is at least 20.19: %s", (version, expected) => {
  expect(isAtLeast(version, "20.19")).toBe(expected);
});

test.each([
  ["flags\t\t: fpu sse4_2 avx2 avx512f avx512_vnni\nbugs : avx", "x64", ["AVX2", "AVX-512", "VNNI"]],
  ["flags : avx2 avx_vnni", "x64", ["AVX2", "VNNI"]],
  ["flags : sse4_2", "x64", []],
  ["Features\t: fp asimd asimddp i8mm", "arm64", ["NEON", "dot products", "int8 matrix products"]],
  [undefined, "arm64", ["NEON"]],
  ["processor: 0", "x64", undefined],
  [undefined, "x64", undefined],
])("the features of %j on %s are %j", (cpuinfo, architecture, expected) => {
  expect(featuresFrom(cpuinfo, architecture)).toEqual(expected);
});

describe("the limit of processors", () => {
  let root: string;
  beforeEach(() => {
    root = tempDir();
  });

  async function write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), text);
    }
  }

  test.each<[string, number | undefined, Record<string, string>]>([
    ["half of one, in a container", 0.5, { "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "50000 100000\n" }],
    [
      "the smallest of its group and those above",
      1.5,
      {
        "proc/self/cgroup": "0::/a/b\n",
        "sys/fs/cgroup/a/cpu.max": "150000 100000\n",
        "sys/fs/cgroup/a/b/cpu.max": "400000 100000\n",
      },
    ],
    ["none where the group has no limit", undefined, { "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000\n" }],
    [
      "that of the older control groups",
      2,
      {
        "proc/self/cgroup": "12:memory:/\n4:cpu,cpuacct:/x\n",
        "sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us": "200000\n",
        "sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_period_us": "100000\n",
      },
    ],
    [
      "none where the older groups have -1",
      undefined,
      {
        "proc/self/cgroup": "4:cpu:/\n",
        "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
        "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
      },
    ],
    ["none on a system without control groups", undefined, {}],
  ])("is %s", async (_, expected, files) => {
    await write(files);
    expect(await processorLimit(root)).toBe(expected);
  });
});
