/** What is not deciding. It is loaded when it is first used; a page that only decides never loads it. */

export const loadLessons = (): Promise<typeof import("../lessons/index.ts")> => import("../lessons/index.ts");

export const loadExplain = (): Promise<typeof import("../explain/index.ts")> => import("../explain/index.ts");

export const loadCheck = (): Promise<typeof import("../check/index.ts")> => import("../check/index.ts");
