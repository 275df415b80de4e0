// Applies the theme that the user has chosen before anything is painted. It is in the page itself (first-paint.js), because modules
// run later.
try {
  const theme = localStorage.getItem('heed-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {} // without storage the system's theme stays
