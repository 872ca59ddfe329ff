import { styleText } from "node:util";

type Style = "bold" | "dim" | "green" | "yellow" | "cyan" | "red";

/** Text in a style, or as it is where colours are not wanted. */
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_style, text) => text;

// The stream was judged once by wantsColors; styleText must not judge again, on its own terms.
export const colored: Paint = (style, text) => styleText(style, text, { validateStream: false });

/** A stream as far as colours go. */
export interface ColorStream {
  readonly isTTY?: boolean | undefined;
  getColorDepth?(env?: Readonly<Record<string, string | undefined>>): number;
}

/** FORCE_COLOR before NO_COLOR (https://no-color.org), as Node does; else whether the terminal has colours. */
export function wantsColors(stream: ColorStream, env: Readonly<Record<string, string | undefined>>): boolean {
  const { FORCE_COLOR, NO_COLOR } = env;
  if (FORCE_COLOR !== undefined) return !["0", "false"].includes(FORCE_COLOR);
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  return stream.isTTY === true && (stream.getColorDepth?.(env) ?? 1) > 1;
}
