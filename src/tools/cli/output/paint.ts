import { styleText } from "node:util";

type Style = "bold" | "dim" | "underline" | "green" | "yellow" | "cyan" | "red";

/** Text in a style, or unchanged if colours are off. */
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_style, text) => text;

// wantsColors has already checked the stream; styleText must not apply rules of its own.
export const colored: Paint = (style, text) => styleText(style, text, { validateStream: false });

/** The part of a stream that says whether it shows colours. */
export interface ColorStream {
  readonly isTTY?: boolean | undefined;
  getColorDepth?(env?: Readonly<Record<string, string | undefined>>): number;
}

/** FORCE_COLOR wins over NO_COLOR (https://no-color.org), as in Node; without either, the terminal decides. */
export function wantsColors(stream: ColorStream, env: Readonly<Record<string, string | undefined>>): boolean {
  const { FORCE_COLOR, NO_COLOR } = env;
  if (FORCE_COLOR !== undefined) return !["0", "false"].includes(FORCE_COLOR);
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  return stream.isTTY === true && (stream.getColorDepth?.(env) ?? 1) > 1;
}
