// The models of ours that are timed, each beside a model of its own shape that the peer runs.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { peerModel } from "../peer.mjs";

/**
 * @typedef {{ id: string, options: object, pack: URL, peer: { folder: string, prepared: boolean }, few: boolean }} TimedModel `options`: of `createDecider()`;
 *   `few`: it is beside the peer and the floor alone, since its calls take several times as long
 */

const packOf = (id) => new URL(`../../models/${id}/`, import.meta.url);

/** @type {TimedModel} */
export const QUICK = { id: "umpire-2", options: { model: "umpire-2" }, pack: packOf("umpire-2"), peer: peerModel(".model"), few: false };

const base = packOf("umpire-3-base");
/** From its folder: no package of its own has to be installed. @type {TimedModel} */
export const BASE = { id: "umpire-3-base", options: { model: base }, pack: base, peer: peerModel(".base-model"), few: true };

export const hasBase = existsSync(new URL("manifest.json", base));

/** What cold.mjs takes: a folder, or nothing for the built-in model. @param {TimedModel} model @returns {string[]} */
export const packArguments = ({ options, pack }) => (options.model === pack ? [fileURLToPath(pack)] : []);
