import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Thumbnail } from "./Thumbnail";

afterEach(cleanup);

test("a picture is shown from this server alone, by its name, and only once it comes into sight", () => {
  render(<Thumbnail id="a/b" name="choir.png" />);
  const picture = screen.getByRole("img", { name: "choir.png" });
  expect(picture.getAttribute("src")).toBe("/api/v1/attachments/a%2Fb/picture");
  expect(picture.getAttribute("loading")).toBe("lazy");
});

test("a picture that cannot be read leaves the sign of a file", () => {
  render(<Thumbnail id="a" name="choir.png" />);
  fireEvent.error(screen.getByRole("img", { name: "choir.png" }));
  expect(screen.queryByRole("img", { name: "choir.png" })).toBeNull();
});
