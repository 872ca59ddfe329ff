import { setTimeout as sleep } from "node:timers/promises";
import type { DecideResponse } from "umpire";
import type { ApiKey, Keys } from "umpire/http";
import { createKeys, keyFromSecret } from "umpire/serve";
import { requestAbout } from "../running.ts";

/** Credits for a million tokens; below, the same price in nanocredits for one token. */
export const PRICE = { inputPerMillion: 0.1, outputPerMillion: 0.4 };
const [INPUT_NANOCREDITS, OUTPUT_NANOCREDITS] = [100, 400];

/** About ten to fifty milliseconds of work each. */
export const STATES = [1, 4, 8, 12, 16, 20].map((times) => "the parcel came late ".repeat(times));

/** A reply, or a connection that broke. */
export type Outcome = { readonly status: number; readonly body: unknown } | "broken";

export interface PaidRequest {
  readonly id: string;
  readonly account: string;
  readonly state: string;
  readonly outcomes: Outcome[];
}

/** Sends one request after the other, each with its own id, and keeps the outcomes. */
export class PayingClient {
  readonly account: string;
  readonly requests: PaidRequest[] = [];
  readonly #url: string;
  #stopped = false;

  constructor(account: string, url: string) {
    this.account = account;
    this.#url = url;
  }

  /** Sends requests until stopped. Every second request is repeated until it is answered; the others are sent once. */
  async run(): Promise<void> {
    for (let number = 0; this.#isAsking(); number++) {
      const state = STATES[number % STATES.length] ?? "";
      const request: PaidRequest = { id: `${this.account}-${number}`, account: this.account, state, outcomes: [] };
      this.requests.push(request);
      await this.ask(request);
      while (isRepeated(request) && !isAnswered(request) && this.#isAsking()) await this.ask(request);
    }
  }

  /** A method, so that the compiler does not assume that the value stays the same. */
  #isAsking(): boolean {
    return !this.#stopped;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Sends a request once. While the server refuses connections, it tries again. */
  async ask(request: PaidRequest): Promise<void> {
    for (;;) {
      const outcome = await this.#askOnce(request);
      if (outcome === "refused") {
        if (this.#stopped) return;
        await sleep(25);
        continue;
      }
      request.outcomes.push(outcome);
      return;
    }
  }

  async #askOnce({ id, state }: PaidRequest): Promise<Outcome | "refused"> {
    const headers = { "content-type": "application/json", authorization: `Bearer ${secretOf(this.account)}`, "x-request-id": id };
    try {
      const body = JSON.stringify(requestAbout(state));
      const response = await fetch(`${this.#url}/decision/v1/model`, { method: "POST", headers, body });
      return { status: response.status, body: await response.json() };
    } catch (error) {
      const { code } = (error as { readonly cause?: { readonly code?: string } }).cause ?? {};
      return code === "ECONNREFUSED" ? "refused" : "broken";
    }
  }
}

/** Whether a client repeats a request that was not answered: every second one of its run. */
export function isRepeated({ id }: PaidRequest): boolean {
  return Number(id.split("-").at(-1)) % 2 === 0;
}

export function secretOf(account: string): string {
  return `sk-${account}`;
}

/** A key for each name. A key called `free` pays nothing. */
export async function keyEntries(accounts: readonly string[]): Promise<ApiKey[]> {
  return Promise.all(accounts.map((name) => keyFromSecret(name, secretOf(name), name === "free" ? { paysCredits: false } : {})));
}

export async function keysOf(accounts: readonly string[]): Promise<Keys> {
  return createKeys(await keyEntries(accounts));
}

export function isAnswered({ outcomes }: PaidRequest): boolean {
  return outcomes.some((outcome) => outcome !== "broken" && outcome.status === 200);
}

export function statusesOf(requests: readonly PaidRequest[]): (number | "broken")[] {
  return requests.flatMap(({ outcomes }) => outcomes.map((outcome) => (outcome === "broken" ? outcome : outcome.status)));
}

/** The bodies of all 200s, with their states. */
export function answersOf(requests: readonly PaidRequest[]): { readonly state: string; readonly body: unknown }[] {
  return requests.flatMap(({ state, outcomes }) =>
    outcomes.flatMap((outcome) => (outcome !== "broken" && outcome.status === 200 ? [{ state, body: outcome.body }] : [])),
  );
}

export function costOf({ usage }: Pick<DecideResponse, "usage">): number {
  return usage.input_tokens * INPUT_NANOCREDITS + usage.output_tokens * OUTPUT_NANOCREDITS;
}
