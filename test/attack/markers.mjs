// Texts that nobody could have made up, and that must not appear where they do not belong.
import { randomBytes } from "node:crypto";

const made = (what) => `${what}${randomBytes(12).toString("hex")}`;

/** Part of every text that an attack sends. It must appear in no log and in no error. */
export const TEXT_MARKER = made("markedtext");
/** Part of ids that an attack sends. Replies name them; logs must not. */
export const ID_MARKER = made("markedid");
/** Part of every secret, right or wrong. */
export const SECRET_MARKER = made("markedsecret");

export const newSecret = () => made(SECRET_MARKER);

const inLogs = [TEXT_MARKER, ID_MARKER, SECRET_MARKER];
const inErrors = [TEXT_MARKER, SECRET_MARKER];

export const leaksIntoLog = (line) => inLogs.some((marker) => line.includes(marker));
export const leaksIntoError = (reply) => inErrors.some((marker) => reply.includes(marker));
