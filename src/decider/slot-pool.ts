import { abortable } from "../async/abortable.ts";
import { DEVICES } from "../engine/devices.ts";
import type { Batch, EngineInfo } from "../engine/engine.ts";
import { DecideError } from "../errors.ts";

import type { EngineSlot } from "./engine-slot.ts";

type Scored = Awaited<ReturnType<EngineSlot["score"]>>;

/** What answers the calls for one model. */
export type ModelSlot = Pick<EngineSlot, "info" | "score" | "pause" | "workersStarted" | "close">;

interface Member {
  readonly slot: EngineSlot;
  /** Depths of the calls that it has. */
  readonly depths: number[];
  /** Whether its engine has loaded. Calls that wait are better off with an engine that is there. */
  isReady: boolean;
}

interface Waiting {
  readonly depth: number;
  readonly begin: (member: Member) => void;
}

/**
 * Several engines of one model behind one queue. A call goes to the first engine that is free: calls of the greatest depth first, then in the order of arrival.
 * The first engine loads when it is needed, the others once it is there, so that a page downloads the files once. A worker that dies fails its own call alone.
 */
export class SlotPool implements ModelSlot {
  readonly #members: readonly [Member, ...Member[]];
  /** The greatest depth first, in the order of arrival. */
  readonly #line: Waiting[] = [];
  /** The depth of the last pause that has begun and not ended. Calls of a smaller one wait. */
  #pausedBelow = 0;
  #isClosed = false;

  /** @param slots makes the slots, which start nothing yet */
  constructor(workers: number, makeSlot: () => EngineSlot) {
    const member = (): Member => ({ slot: makeSlot(), depths: [], isReady: false });
    this.#members = [member(), ...Array.from({ length: workers - 1 }, member)];
  }

  async info(signal?: AbortSignal): Promise<EngineInfo> {
    const [first] = this.#members;
    const info = await first.slot.info(signal);
    first.isReady = true;
    this.#startOthers(info);
    return info;
  }

  async score(batch: Batch, signal?: AbortSignal): Promise<Scored> {
    if (!this.#members.some(({ isReady }) => isReady)) await this.info(signal);
    const member = await this.#turn(batch.depth ?? 0, signal);
    try {
      return await member.slot.score(batch, signal);
    } catch (error) {
      if (DecideError.isInstance(error) && error.code === "worker_lost") this.#replace(member);
      throw error;
    } finally {
      this.#leave(member, batch.depth ?? 0);
    }
  }

  /** Pauses all engines. */
  async pause(depth: number): Promise<() => void> {
    this.#pausedBelow = depth;
    const ends = await Promise.all(this.#members.map(({ slot }) => slot.pause(depth)));
    return () => {
      this.#pausedBelow = depth - 1;
      for (const end of ends) end?.();
      this.#goOn();
    };
  }

  get workersStarted(): number {
    return this.#members.reduce((sum, { slot }) => sum + slot.workersStarted, 0);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#members.map(({ slot }) => slot.close()));
  }

  /** Resolves with the engine that the call is for. @throws `signal.reason` once the call is aborted. */
  async #turn(depth: number, signal: AbortSignal | undefined): Promise<Member> {
    let waiting: Waiting | undefined;
    const turn = new Promise<Member>((begin) => {
      waiting = { depth, begin };
      this.#line.push(waiting);
      // Stable, so that the order of arrival stays.
      this.#line.sort((a, b) => b.depth - a.depth);
    });
    this.#goOn();
    try {
      return await abortable(turn, signal);
    } catch (error) {
      const place = this.#line.findIndex((one) => one === waiting);
      if (place >= 0) this.#line.splice(place, 1);
      // Its turn had come in the same moment.
      else
        void turn.then((member) => {
          this.#leave(member, depth);
        });
      throw error;
    }
  }

  #goOn(): void {
    for (let next = this.#line[0]; next !== undefined && next.depth >= this.#pausedBelow; next = this.#line[0]) {
      const { depth, begin } = next;
      // An engine that is paused takes the calls that are made in the pause.
      const free = this.#members.find(({ isReady, depths }) => isReady && depths.every((other) => other < depth));
      if (free === undefined) return;
      this.#line.shift();
      free.depths.push(depth);
      begin(free);
    }
  }

  #leave(member: Member, depth: number): void {
    member.depths.splice(member.depths.indexOf(depth), 1);
    this.#goOn();
  }

  #startOthers({ device }: EngineInfo): void {
    if (DEVICES[device].isOneForAll) return;
    for (const member of this.#members.slice(1)) if (!member.isReady && member.slot.workersStarted === 0) this.#start(member);
  }

  /** Loads it beside the others, which go on meanwhile. */
  #replace(member: Member): void {
    if (!this.#members.some((other) => other !== member && other.isReady)) return;
    member.isReady = false;
    this.#start(member);
  }

  #start(member: Member): void {
    if (this.#isClosed) return;
    // One that cannot be loaded, for want of memory perhaps, leaves the work to the others.
    member.slot.info().then(
      () => {
        member.isReady = true;
        this.#goOn();
      },
      () => undefined,
    );
  }
}
