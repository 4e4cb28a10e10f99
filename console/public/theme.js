// Before the first paint, so that whoever chose a theme never sees the other one.
try {
  var theme = localStorage.getItem('guardengine.theme');
  if (theme) document.documentElement.dataset.theme = theme;
} catch (_) {
  // Storage is switched off: the system's theme it is.
}
