import type { Page } from "playwright-core";

export interface Pair {
  readonly text: string;
  readonly color: string;
  readonly background: string;
  readonly ratio: number;
  /** The contrast that WCAG 2.2 AA requires for text of this size. */
  readonly needed: number;
}

/** Lists every visible text and placeholder with its colour, its background and their contrast. */
export function contrasts(page: Page): Promise<Pair[]> {
  return page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    if (canvas === null) throw new Error("no canvas");
    /** Blends any CSS colour over another and returns numbers. */
    const paint = (...layers: string[]): number[] => {
      canvas.clearRect(0, 0, 1, 1);
      for (const layer of layers) {
        canvas.fillStyle = layer;
        canvas.fillRect(0, 0, 1, 1);
      }
      return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    };
    const luminance = (rgb: number[]): number => {
      const [r = 0, g = 0, b = 0] = rgb.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element: Element | null): string[] => {
      const layers: string[] = [];
      for (let at = element; at !== null; at = at.parentElement) layers.unshift(getComputedStyle(at).backgroundColor);
      return layers;
    };
    const pairOf = (element: Element, text: string, style: CSSStyleDeclaration): Pair => {
      const layers = behind(element);
      const [back, front] = [luminance(paint(...layers)), luminance(paint(...layers, style.color))];
      const size = parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      const ratio = (Math.max(back, front) + 0.05) / (Math.min(back, front) + 0.05);
      return { text, color: style.color, background: paint(...layers).join(" "), ratio, needed: isLarge ? 3 : 4.5 };
    };
    return [...document.querySelectorAll("body *")].flatMap((element) => {
      // Disabled buttons are exempt.
      if (!element.checkVisibility() || element.closest(":disabled, .visually-hidden, .skip") !== null) return [];
      const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent?.trim() ?? "");
      const text = own.join(" ").trim();
      const pairs = text === "" ? [] : [pairOf(element, text, getComputedStyle(element))];
      const placeholder = element.getAttribute("placeholder") ?? "";
      if (placeholder !== "") pairs.push(pairOf(element, placeholder, getComputedStyle(element, "::placeholder")));
      return pairs;
    });
  });
}
