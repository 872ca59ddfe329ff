// @ts-check
// The settings: which model runs, where and how, and its downloaded files.
import { announce, byId } from "./dom.js";
import { clearCache } from "./index.browser.js";
import { modelToName, wireModels } from "./models.js";

const device = /** @type {HTMLSelectElement} */ (byId("device"));
const precision = /** @type {HTMLSelectElement} */ (byId("precision"));

/**
 * @param {(options: { model: string, device: "auto" | "wasm" | "webgpu", precision?: "int8" | "fp16" | "fp32" }) => void} onChange also called once immediately
 * @param {(error: unknown) => void} onError
 */
export function wireSettings(onChange, onError) {
  const report = () => {
    const chosen = /** @type {"" | "int8" | "fp16" | "fp32"} */ (precision.value);
    onChange({
      model: modelToName(),
      device: /** @type {"auto" | "wasm" | "webgpu"} */ (device.value),
      ...(chosen !== "" && { precision: chosen }),
    });
  };
  wireModels(report);
  device.addEventListener("change", report);
  precision.addEventListener("change", report);
  report();

  byId("forget").addEventListener("click", async () => {
    try {
      await clearCache();
      byId("forgotten").textContent = "Deleted. They are downloaded again when the model is next loaded.";
      announce("Downloaded files deleted.");
    } catch (error) {
      onError(error);
    }
  });
}
