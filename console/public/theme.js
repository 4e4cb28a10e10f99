// Sets the chosen theme before the first paint, so that the other theme never flashes up.
try {
  const theme = localStorage.getItem('guardengine.theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Storage is disabled: follow the system theme.
}
