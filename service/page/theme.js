// Light or dark: as the system has it, or as it was chosen, which this browser remembers.
import { button } from "./dom.js";

const themeKey = "neardup-theme";
const systemDark = matchMedia("(prefers-color-scheme: dark)");

// Applies what is remembered.
export function themeSwitch() {
  const control = button("Dark", () => choose(!isDark()), { class: "theme" });
  const shownAs = () => control.setAttribute("aria-pressed", String(isDark()));
  const choose = (dark) => {
    remember(dark === systemDark.matches ? null : dark ? "dark" : "light");
    shownAs();
  };
  remember(remembered());
  shownAs();
  systemDark.addEventListener("change", shownAs);
  return control;
}

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? systemDark.matches : theme === "dark";
}

function remembered() {
  const theme = localStorage.getItem(themeKey);
  return theme === "dark" || theme === "light" ? theme : null;
}

// null: as the system has it.
function remember(theme) {
  if (theme === null) {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem(themeKey);
  } else {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(themeKey, theme);
  }
}
