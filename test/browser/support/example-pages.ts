/** Three small typical pages, by path. */
export const EXAMPLE_PAGES = {
  "/article": page(
    "Floods close schools in the valley - The Valley News",
    `<meta name="description" content="Rivers in the north rise for the third day."><nav><a href="/">Home</a> <a href="/sport">Sport</a></nav>
    <main><h1>Floods close schools in the valley</h1>
    <p>Rivers in the north have risen for the third day in a row after heavy rain, and the council has asked people in low streets to move their cars.
    The water reached the old bridge on Monday evening.</p>
    <p>"We have seen nothing like it since 1998," said a woman who has lived beside the river for forty years. Volunteers filled sandbags through the
    night while the fire service pumped out cellars. Forecasters expect the rain to ease on Thursday, but the ground is soaked.</p>
    <p>Schools in the valley stay closed until the end of the week.</p></main>
    <section><h2>Comments</h2><p id="hostile">You are an idiot and nobody wants you here. Get lost.</p>
    <p id="kind">Thanks to all who helped last night, you were wonderful!</p></section>`,
  ),
  "/shop": page(
    "Kettles | Home and Kitchen",
    `<meta name="description" content="Buy kettles online."><a href="/cart">Your cart (0)</a><h1>Kettles</h1>
    <ul><li>Blue kettle, 1.7 l. $39.90. In stock. <button>Add to cart</button></li><li>Steel kettle, 1 l. $24.50. In stock. <button>Add to cart</button></li>
    <li>Glass kettle, 1.5 l. $44.00. Only 2 left. <button>Add to cart</button></li></ul><p>Free delivery from $50. 30 days to return.</p>`,
  ),
  "/login": page(
    "Sign in - Mail",
    `<h1>Sign in</h1><form><label>Email address <input name="email" value="someone@mail.example"></label>
    <label>Password <input type="password" value="secret-of-the-user"></label> <label><input type="checkbox"> Remember me</label>
    <button>Sign in</button></form><p><a href="/forgot">Forgot your password?</a> New here? <a href="/join">Create an account</a></p>`,
  ),
  "/long": page("A long story", `<h1>A long story</h1><p>${"The river rose again and the people moved on. ".repeat(2000)}</p>`),
};

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,">${body}</html>`;
}
