// Light or dark: the system's, unless one was chosen.

export function theme(wanted) {
  if (wanted !== undefined) localStorage.setItem("theme", wanted);
  const chosen = localStorage.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
  else delete document.documentElement.dataset.theme;
  return chosen ?? "";
}
