import type { EngineInfo } from "../engine/engine.ts";
import { DecideError } from "../../errors.ts";
import type { CataloguedPack, PackagedModel, Platform } from "../platform/platform.ts";
import { isNear, isPlain, shapeOf } from "../validation/field.ts";
import type { DeciderOptions, ModelSummary } from "./decider.ts";

/** Names that stand for a decider's own model; the second is the default of the official clients. */
export const MODEL_ALIASES: readonly string[] = ["latest", "jev-latest"];

/** Names that a caller gave to models: ids by name. */
export type Aliases = NonNullable<DeciderOptions["aliases"]>;

/** The models that a decider knows: those that came with the package, those that the user added, and its own if that was given by its place. */
export class Catalogue {
  readonly #platform: Platform;
  readonly #own: string | URL;
  readonly #loadOwn: () => Promise<EngineInfo>;
  readonly #aliases: ReadonlyMap<string, string>;
  readonly #builtIn = readOnce(() => this.#platform.builtIn());
  readonly #all = readOnce(() => this.#platform.catalogue());
  #ownPlace: { readonly url: string | undefined } | undefined;

  /**
   * @param own the decider's model: an alias, a catalogue id, or the place of a pack
   * @param loadOwn loads it and gives its facts
   * @param aliases the user's own: the id that each stands for
   */
  constructor(platform: Platform, own: string | URL, loadOwn: () => Promise<EngineInfo>, aliases: Aliases = {}) {
    this.#aliases = new Map(Object.entries(aliases));
    this.#platform = platform;
    this.#own = own;
    this.#loadOwn = loadOwn;
  }

  /**
   * URL of the pack's folder.
   * @param name the model that a request names; undefined or an alias of ours: the decider's own
   * @throws {DecideError} `model_not_found`, listing the models there are; `model_invalid` for a model whose package is damaged.
   */
  async packUrlOf(name: string | undefined): Promise<string> {
    const requested = this.#aliases.get(name ?? "") ?? name;
    const model = requested === undefined || MODEL_ALIASES.includes(requested) ? this.#own : requested;
    // Only the options may name a place: a request, which may come from anywhere, names catalogue ids.
    const place = model === this.#own ? this.#placeOfOwn() : undefined;
    if (place !== undefined) return place;
    const namedOf = (packs: readonly CataloguedPack[]): CataloguedPack | undefined =>
      MODEL_ALIASES.includes(String(model)) ? latestOf(packs) : packs.find(({ id }) => id === model);
    // A built-in model is found without the user's folder, whose state then changes nothing.
    const builtIn = namedOf(await this.#builtIn());
    if (builtIn?.damage !== undefined) throw new DecideError("model_invalid", builtIn.damage);
    if (builtIn !== undefined) return builtIn.url;
    const packs = await this.#all();
    const named = namedOf(packs);
    if (named !== undefined) return named.url;
    const own = (await this.#ownPlaceNamed(requested)) ?? this.#platform.unlisted?.(String(model));
    if (own !== undefined) return own;
    throw notFound(String(model), [...packs.map(({ id }) => id), ...this.#aliases.keys(), ...MODEL_ALIASES], this.#platform.packaged);
  }

  /**
   * Whether the model came with umpire, but another one that is installed is newer, so that a decider which was given no model is answered by that one.
   * @param id of any model
   */
  async isSuperseded(id: string): Promise<boolean> {
    if (!MODEL_ALIASES.includes(String(this.#own))) return false;
    const builtIn = await this.#builtIn();
    return latestOf(builtIn)?.id !== id && builtIn.some((pack) => pack.id === id);
  }

  /** The models that requests may name, newest first. */
  async models(): Promise<readonly ModelSummary[]> {
    const packs = await this.#all();
    const isElsewhere = (this.#placeOfOwn() ?? this.#platform.unlisted?.(String(this.#own))) !== undefined;
    const own = isElsewhere ? await this.#loadOwn() : undefined;
    const defaultId = own?.model ?? (MODEL_ALIASES.includes(String(this.#own)) ? latestOf(packs)?.id : this.#own);
    const listed = packs.map(({ id, description, releaseDate }) => ({ id, description, releaseDate }));
    const ownListed = own && { id: own.model, description: own.description, releaseDate: own.releaseDate };
    return [...(ownListed ? [ownListed] : []), ...listed.filter(({ id }) => id !== ownListed?.id)]
      .map((model) => {
        const isDefault = model.id === defaultId;
        const aliases = [...this.#aliases]
          .filter(([, id]) => id === model.id || (isDefault && MODEL_ALIASES.includes(id)))
          .map(([name]) => name);
        return { ...model, isDefault, ...(aliases.length > 0 && { aliases }) };
      })
      .sort((a, b) => b.releaseDate.localeCompare(a.releaseDate) || a.id.localeCompare(b.id));
  }

  /** Undefined if the decider's own model has a name. @throws {DecideError} `model_not_found` */
  #placeOfOwn(): string | undefined {
    this.#ownPlace ??= { url: this.#platform.placeOf(this.#own) };
    return this.#ownPlace.url;
  }

  /** The place of the decider's own pack, if the request names that pack by its id. */
  async #ownPlaceNamed(requested: string | undefined): Promise<string | undefined> {
    const place = this.#placeOfOwn();
    if (place === undefined || requested === undefined) return undefined;
    return (await this.#loadOwn()).model === requested ? place : undefined;
  }
}

/** A model that is added later is for the next decider, and calls keep the order in which they were made. A failed reading is tried again. */
function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    if (known !== undefined) return known;
    const reading = read();
    known = reading;
    reading.catch(() => (known = undefined));
    return reading;
  };
}

function notFound(model: string, known: readonly string[], packaged: readonly PackagedModel[] = []): DecideError {
  const asked = isPlain(model) ? `There is no model "${model}".` : `There is no model of that name (${shapeOf(model)}).`;
  const absent = packaged.filter(({ id }) => !known.includes(id));
  const near = [...known, ...absent.map(({ id }) => id)].find((id) => isNear(model, id));
  const meant = near === undefined || near === model ? "" : ` Did you mean "${near}"?`;
  const brings = absent.find(({ id }) => id === near);
  const hint = brings === undefined ? meant : `${meant} It comes in a package of its own: npm install ${brings.packageName}.`;
  return new DecideError("model_not_found", `${asked}${hint} There are: ${known.join(", ")}.`);
}

/**
 * The best model that is installed: the built-in pack with the latest release date; of two from one day, the last one by name. A damaged package comes before
 * all: whoever installed it wants its model, and is told, rather than answered by another.
 */
export function latestOf(packs: readonly CataloguedPack[]): CataloguedPack | undefined {
  const builtIn = packs.filter(({ isBuiltIn }) => isBuiltIn);
  const newest = builtIn.toSorted((a, b) => (`${a.releaseDate} ${a.id}` < `${b.releaseDate} ${b.id}` ? -1 : 1)).at(-1);
  return builtIn.find(({ damage }) => damage !== undefined) ?? newest;
}
