import { abortable } from "../async/signals.ts";
import { DEVICES } from "../engine/devices.ts";
import type { Batch, EngineInfo, KeptBytes, StateToHold } from "../engine/engine.ts";
import { DecideError } from "../../errors.ts";
import type { EngineSlot, HeldInSlot } from "./engine-slot.ts";

/** Where a state is held. */
interface Place<M> {
  readonly member: M;
  /** Whether the engine that holds it is still there. */
  readonly isHere: () => boolean;
}

/** Which of several engines hold which states. */
class HeldStates<M> {
  readonly #places = new Map<string, Set<Place<M>>>();

  /** @returns what forgets the place again. */
  add(state: string, place: Place<M>): () => void {
    const places = this.#places.get(state) ?? new Set();
    this.#places.set(state, places.add(place));
    return () => {
      places.delete(place);
      if (places.size === 0 && this.#places.get(state) === places) this.#places.delete(state);
    };
  }

  /** The engine that holds the state; undefined if none does. */
  holderOf(state: string): M | undefined {
    for (const { member, isHere } of this.#places.get(state) ?? []) if (isHere()) return member;
    return undefined;
  }
}

type Scored = Awaited<ReturnType<EngineSlot["score"]>>;

/** What answers the calls for one model. */
export interface ModelSlot extends Pick<EngineSlot, "info" | "score" | "hold" | "kept" | "pause" | "workersStarted" | "close"> {
  /** Workers that have loaded, load, or will do so when they are needed. */
  readonly workers: number;
  /** Workers that have loaded, but at least 1: a call that comes is answered, after the loading. */
  readonly readyWorkers: number;
}

interface Member {
  readonly slot: EngineSlot;
  /** Depths of the calls that it has. */
  readonly depths: number[];
  /** Whether its engine has loaded. Calls that wait are better off with an engine that is there. */
  isReady: boolean;
  /** Whether its engine could not be loaded, for want of memory perhaps. The others do its work. */
  isMissing: boolean;
  /** Of the call that it had last. Its engine may still have it read. */
  lastState: string | undefined;
}

interface Waiting extends StateToHold {
  readonly depth: number;
  readonly begin: (member: Member) => void;
}

/**
 * Several engines of one model behind one queue. A call goes to the first engine that is free, or waits for the one that holds its state: calls of the
 * greatest depth first, then in the order of arrival. The first engine loads when it is needed, the others once it is there, so that a page downloads the
 * files once. A worker that dies fails its own call alone.
 */
export class SlotPool implements ModelSlot {
  readonly #members: readonly [Member, ...Member[]];
  readonly #held = new HeldStates<Member>();
  /** The greatest depth first, in the order of arrival. */
  readonly #line: Waiting[] = [];
  /** The depth of the last pause that has begun and not ended. Calls of a smaller one wait. */
  #pausedBelow = 0;
  /** Whether one engine is all that the device can use. */
  #isAlone = false;
  #isClosed = false;

  /** @param makeSlot makes a slot, which starts nothing yet */
  constructor(workers: number, makeSlot: () => EngineSlot) {
    const member = (): Member => ({ slot: makeSlot(), depths: [], isReady: false, isMissing: false, lastState: undefined });
    this.#members = [member(), ...Array.from({ length: workers - 1 }, member)];
  }

  async info(signal?: AbortSignal): Promise<EngineInfo> {
    const [first] = this.#members;
    const info = await first.slot.info(signal);
    first.isReady = true;
    first.isMissing = false;
    this.#isAlone = DEVICES[info.device].isOneForAll;
    this.#startOthers();
    return info;
  }

  async score(batch: Batch, signal?: AbortSignal): Promise<Scored> {
    return this.#onMember(batch, signal, ({ slot }) => slot.score(batch, signal));
  }

  /** Holds a state in one of the engines, the same if it is held already. */
  async hold(state: StateToHold, signal?: AbortSignal): Promise<HeldInSlot> {
    return this.#onMember(state, signal, async (member) => {
      const holding = await member.slot.hold(state, signal);
      const isHere = (): boolean => holding.isHere();
      const forget = this.#held.add(state.state, { member, isHere });
      const release = (): Promise<void> => {
        forget();
        return holding.held.release();
      };
      return { held: { ...holding.held, release }, isHere };
    });
  }

  /** What the engines keep that have loaded, taken together. */
  async kept(signal?: AbortSignal): Promise<KeptBytes> {
    const [first] = this.#members;
    const there = this.#members.filter(({ isReady }) => isReady);
    const all = await Promise.all((there.length > 0 ? there : [first]).map(({ slot }) => slot.kept(signal)));
    const sum = (of: keyof KeptBytes): number => all.reduce((bytes, kept) => bytes + kept[of], 0);
    return { heldBytes: sum("heldBytes"), cachedBytes: sum("cachedBytes"), cacheBytes: sum("cacheBytes") };
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

  get workers(): number {
    return this.#isAlone ? 1 : Math.max(1, this.#members.filter(({ isMissing }) => !isMissing).length);
  }

  get readyWorkers(): number {
    return Math.max(1, this.#members.filter(({ isReady }) => isReady).length);
  }

  get workersStarted(): number {
    return this.#members.reduce((sum, { slot }) => sum + slot.workersStarted, 0);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#members.map(({ slot }) => slot.close()));
  }

  /** Makes a call on the engine whose turn it is. */
  async #onMember<T>({ state, depth = 0 }: StateToHold, signal: AbortSignal | undefined, call: (member: Member) => Promise<T>): Promise<T> {
    if (!this.#members.some(({ isReady }) => isReady)) await this.info(signal);
    const member = await this.#turn(state, depth, signal);
    member.lastState = state;
    try {
      return await call(member);
    } catch (error) {
      if (DecideError.isInstance(error) && error.code === "worker_lost") this.#replace(member);
      throw error;
    } finally {
      this.#leave(member, depth);
    }
  }

  /** Resolves with the engine that the call is for. @throws `signal.reason` once the call is aborted. */
  async #turn(state: string, depth: number, signal: AbortSignal | undefined): Promise<Member> {
    let waiting: Waiting | undefined;
    const turn = new Promise<Member>((begin) => {
      waiting = { state, depth, begin };
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
    for (let place = 0; ;) {
      const next = this.#line[place];
      if (next === undefined || next.depth < this.#pausedBelow) return;
      const { state, depth, begin } = next;
      // An engine that is paused takes the calls that are made in the pause.
      const free = this.#members.filter(({ isReady, depths }) => isReady && depths.every((other) => other < depth));
      if (free.length === 0) return;
      const holder = this.#held.holderOf(state) ?? free.find(({ lastState }) => lastState === state) ?? free[0];
      // One that waits for the engine that holds its state lets others go on.
      if (holder === undefined || !free.includes(holder)) {
        place++;
        continue;
      }
      this.#line.splice(place, 1);
      holder.depths.push(depth);
      begin(holder);
    }
  }

  #leave(member: Member, depth: number): void {
    member.depths.splice(member.depths.indexOf(depth), 1);
    this.#goOn();
  }

  #startOthers(): void {
    if (this.#isAlone) return;
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
    member.slot.info().then(
      () => {
        member.isReady = true;
        this.#goOn();
      },
      () => {
        member.isMissing = true;
      },
    );
  }
}
