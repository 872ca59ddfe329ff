import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import { createDecider } from "umpire";
import { serve } from "umpire/serve";
import { afterAll, expect, test } from "vitest";
import { rawClient } from "./raw-client.ts";

const folder = mkdtempSync(join(tmpdir(), "umpire-tls-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A self-signed certificate for 127.0.0.1. */
function selfSigned(name: string): { certPem: string; keyPem: string } {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const subject = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=IP:127.0.0.1"];
  const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", ...subject];
  execFileSync("openssl", [...made, "-keyout", key, "-out", cert], { stdio: "ignore" });
  return { certPem: readFileSync(cert, "utf8"), keyPem: readFileSync(key, "utf8") };
}

const ours = selfSigned("ours");

test("with a certificate the server speaks only HTTPS", async () => {
  await using decider = createDecider();
  await using server = await serve({ decider, port: 0, tls: ours, connections: { headersMs: 1000 } });
  expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
  const page = (path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      get(`${server.url}${path}`, { ca: ours.certPem, agent: false }, (reply) => {
        resolve(text(reply));
      }).on("error", reject);
    });
  await expect.poll(() => page("/livez").catch(String)).toBe('{"status":"alive"}');

  const plain = await rawClient(server.port);
  plain.write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
  expect(await plain.closed()).not.toContain("alive");
  // A client that sends nothing at all.
  const silent = await rawClient(server.port);
  const start = performance.now();
  expect(await silent.closed()).toBe("");
  // Node itself would wait for 120 s.
  expect(performance.now() - start).toBeLessThan(60_000);
  // On a slow machine a handshake may take too long, and is counted as well.
  await expect.poll(() => page("/metrics").catch(String)).toMatch(/umpire_connection_errors_total\{kind="tls"\} [2-9]/u);
});

test("a stopping server does not wait for clients in a handshake, or idle after one", async () => {
  await using decider = createDecider();
  const shutdownMs = 60_000;
  const server = await serve({ decider, port: 0, tls: ours, shutdownMs });
  const silent = await rawClient(server.port);
  const idle = connect({ port: server.port, host: "127.0.0.1", ca: ours.certPem });
  await new Promise((resolve) => idle.once("secureConnect", resolve));
  const start = performance.now();
  expect(await server.close()).toEqual({ droppedRequests: 0 });
  await silent.closed();
  expect(performance.now() - start).toBeLessThan(shutdownMs);
});

test("a certificate with a key of another certificate is refused", async () => {
  await using decider = createDecider();
  const tls = { certPem: ours.certPem, keyPem: selfSigned("other").keyPem };
  await expect(serve({ decider, port: 0, tls })).rejects.toMatchObject({ code: "invalid_request" });
  await expect(serve({ decider, port: 0, tls: { certPem: "", keyPem: "" } })).rejects.toMatchObject({ code: "invalid_request" });
});
