/** [ROWS, INNER] x [INNER, COLUMNS]: the largest product of a layer, for 64 tokens. */
const ROWS = 64;
const INNER = 384;
const COLUMNS = 1536;
/** This many of them make up the arithmetic of a request of 144 tokens and ten options. */
const PRODUCTS_A_REQUEST = 48;
const TIMED_PRODUCTS = 4;
/**
 * A first product that is this many times too slow settles the matter. A GPU's first product takes some milliseconds longer than later ones, a
 * software adapter's takes seconds.
 */
const HOPELESS = 20;
/** GPUBufferUsage.STORAGE, which TypeScript's DOM library does not declare as a value. */
const STORAGE = 0x80;
const PRODUCT = `
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> product: array<f32>;
@compute @workgroup_size(16, 16) fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var k = 0u; k < ${INNER}u; k++) { sum += a[id.y * ${INNER}u + k] * b[k * ${COLUMNS}u + id.x]; }
  product[id.y * ${COLUMNS}u + id.x] = sum;
}`;

/**
 * Milliseconds that the adapter takes for the arithmetic of a small request, measured on plain matrix products that include sending the work and
 * waiting for it. An estimate only: the runtime's products are faster, but it runs many small operators besides.
 * @param wasmMs time of the same request without a GPU
 * @throws {Error} what the GPU or its driver reports
 */
export async function probeMs(adapter: GPUAdapter, wasmMs: number): Promise<number> {
  const device = await adapter.requestDevice();
  try {
    device.pushErrorScope("validation");
    const compute = await device.createComputePipelineAsync({
      layout: "auto",
      compute: { module: device.createShaderModule({ code: PRODUCT }), entryPoint: "main" },
    });
    const buffers = [ROWS * INNER, INNER * COLUMNS, ROWS * COLUMNS].map((floats) =>
      device.createBuffer({ size: 4 * floats, usage: STORAGE }),
    );
    const bindGroup = device.createBindGroup({
      layout: compute.getBindGroupLayout(0),
      entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
    });
    const run = async (products: number): Promise<number> => {
      const start = performance.now();
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(compute);
      pass.setBindGroup(0, bindGroup);
      for (let i = 0; i < products; i++) pass.dispatchWorkgroups(COLUMNS / 16, ROWS / 16);
      pass.end();
      device.queue.submit([encoder.finish()]);
      await device.queue.onSubmittedWorkDone();
      return performance.now() - start;
    };
    const firstMs = PRODUCTS_A_REQUEST * (await run(1));
    const error = await device.popErrorScope();
    if (error !== null) throw new Error(error.message);
    return firstMs > HOPELESS * wasmMs ? firstMs : (PRODUCTS_A_REQUEST / TIMED_PRODUCTS) * (await run(TIMED_PRODUCTS));
  } finally {
    device.destroy();
  }
}
