// Runs before the first paint, as a file of its own because the content security policy allows no inline script.
// Reads what ui/theme/appearance.ts writes; keep the accepted values alike (theme.test.ts compares the two).
(function () {
  var palettes = [
    'bluenavy',
    'blueyale',
    'blueolympic',
    'greenmoss',
    'greenlime',
    'purplemonster',
    'orangecarrot',
    'redruby',
    'yellowgranola',
    'greysteel',
  ];
  var languages = ['en', 'de', 'hu', 'ro'];
  var root = document.documentElement;
  function read(key) {
    try {
      return localStorage.getItem(key);
    } catch (blocked) {
      return null;
    }
  }
  // A value that means nothing is dropped.
  function drop(key) {
    try {
      localStorage.removeItem(key);
    } catch (blocked) {
      // Then nothing is kept there either.
    }
  }
  var stored = read('theme');
  var theme = (stored || '').split('.');
  var known = theme.length === 2 && (theme[0] === 'light' || theme[0] === 'dark') && palettes.indexOf(theme[1]) !== -1;
  // Until somebody chooses, the page is as light or dark as the system.
  var systemDark = typeof matchMedia === 'function' && matchMedia('(prefers-color-scheme: dark)').matches;
  root.setAttribute('data-mantine-color-scheme', known ? theme[0] : systemDark ? 'dark' : 'light');
  root.setAttribute('data-palette', known ? theme[1] : 'blueyale');
  if (stored !== null && !known) drop('theme');
  var radius = read('radius');
  root.setAttribute('data-radius', radius === 'flat' ? 'flat' : 'rounded');
  if (radius !== null && radius !== 'flat' && radius !== 'rounded') drop('radius');
  // What outline.css draws until a page stands; the room has its own ground, which nothing may cover.
  var path = typeof location === 'object' ? location.pathname : '';
  if (path.indexOf('/app/') === 0 && read('token') !== null && path.indexOf('/app/play-area') !== 0)
    root.setAttribute('data-outline', 'frame');
  else if (path.indexOf('/user/') === 0) root.setAttribute('data-outline', 'brand');
  var wanted = [read('language')].concat(navigator.languages || []);
  for (var i = 0; i < wanted.length; i += 1) {
    var code = String(wanted[i] || '')
      .slice(0, 2)
      .toLowerCase();
    if (languages.indexOf(code) !== -1) {
      root.setAttribute('lang', code);
      break;
    }
  }
})();
