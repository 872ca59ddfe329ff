import { expect, test } from "vitest";
import { hostCheck } from "../../../../src/service/node/server/host-check.ts";

test.each([
  ["http://localhost:8780/", true],
  ["http://LOCALHOST/", true],
  ["http://localhost./", true],
  ["http://umpire.localhost:1/", true],
  ["https://127.0.0.1/", true],
  ["http://127.8.9.1:8780/", true],
  ["http://192.168.1.5:8780/metrics", true],
  ["http://[::1]:8780/", true],
  ["http://umpire.internal:8780/livez", true],
  ["http://attacker.example/", false],
  ["http://localhost.attacker.example/", false],
  ["http://notlocalhost/", false],
  ["http://127.0.0.1.attacker.example/", false],
  ["http://other.umpire.internal/", false],
])("%s: %s", (url, isOwn) => {
  expect(hostCheck(["umpire.internal"])(url)).toBe(isOwn);
});
