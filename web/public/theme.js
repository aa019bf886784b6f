// Runs before the first paint, in its own file, because the content security policy allows no inline script. Reads what
// ui/theme/appearance.ts writes. The build replaces SHARED_VALUES with names and addresses that the app also uses
// (web/src/start/sharedWithTheme.ts).
(function () {
  var shared = SHARED_VALUES;
  var root = document.documentElement;
  function read(key) {
    try {
      return localStorage.getItem(key);
    } catch (blocked) {
      return null;
    }
  }
  // An unknown value is dropped.
  function drop(key) {
    try {
      localStorage.removeItem(key);
    } catch (blocked) {
      // Then nothing is stored there either.
    }
  }
  var stored = read('theme');
  var theme = (stored || '').split('.');
  var known =
    theme.length === 2 && (theme[0] === 'light' || theme[0] === 'dark') && shared.palettes.indexOf(theme[1]) !== -1;
  // Until somebody chooses, the page is light or dark like the system.
  var systemDark = typeof matchMedia === 'function' && matchMedia('(prefers-color-scheme: dark)').matches;
  root.setAttribute('data-mantine-color-scheme', known ? theme[0] : systemDark ? 'dark' : 'light');
  root.setAttribute('data-palette', known ? theme[1] : shared.defaultPalette);
  if (stored !== null && !known) drop('theme');
  var radius = read('radius');
  root.setAttribute('data-radius', radius === 'flat' ? 'flat' : 'rounded');
  if (radius !== null && radius !== 'flat' && radius !== 'rounded') drop('radius');
  // The part of the app to which the page belongs. Without a sign-in the person will be led to the sign-in page.
  var path = typeof location === 'object' ? location.pathname : '';
  var part = '';
  if (path.indexOf('/user/') === 0) part = 'account';
  else if (path.indexOf('/app/') === 0)
    if (read('token') === null) part = 'account';
    else if (path === shared.therapistRoom) part = 'room';
    else part = path === shared.clientRoom ? 'client' : 'frame';
  // What outline.css draws until a page is drawn. The room has none: its field appears as a whole.
  var outlined = part === 'frame' || part === 'account';
  if (outlined) root.setAttribute('data-outline', part);
  // A page that the server rendered can be pressed before its script has loaded: light/earlyClicks.ts reads the last
  // press here.
  var entering = shared.entrances.some(function (page) {
    return (path + '/').indexOf(page + '/') === 0;
  });
  if (entering || path.indexOf('/event/') === 0) {
    var last = null;
    var note = function (event) {
      var element = event.target.closest(event.type === 'click' ? 'button' : 'select');
      if (element) last = { element: element, type: event.type };
    };
    document.addEventListener('click', note);
    document.addEventListener('change', note);
    window.takeEarlyClick = function () {
      document.removeEventListener('click', note);
      document.removeEventListener('change', note);
      return last;
    };
  }
  // A client who is in the room or waits, and anybody signed in, does not see the form that the server drew for a
  // stranger.
  if (entering && read('token') !== null) root.setAttribute('data-known', '');
  var wanted = [read('language')].concat(navigator.languages || []);
  for (var i = 0; i < wanted.length; i += 1) {
    var code = String(wanted[i] || '')
      .slice(0, 2)
      .toLowerCase();
    if (shared.languages.indexOf(code) !== -1) {
      root.setAttribute('lang', code);
      break;
    }
  }
  // The files of the part and the page, as the build has written them beside this script's address.
  var script = document.currentScript;
  var page = part === 'account' && path.indexOf('/app/') === 0 ? shared.signIn : path;
  var names = [part, 'page' + page.replace(/\/$/, '').replace(/\//g, '-')];
  // The words too: English replaces what another language lacks.
  var language = root.getAttribute('lang');
  var endings = language === 'en' ? ['', '-en'] : ['', '-en', '-' + language];
  var lists = [];
  endings.forEach(function (ending) {
    names.forEach(function (name) {
      lists.push(name + ending);
    });
  });
  var files = lists.map(function (list) {
    return (script && part && script.getAttribute('data-' + list)) || '';
  });
  files
    .join(' ')
    .split(' ')
    .forEach(function (file) {
      if (file === '') return;
      var link = document.createElement('link');
      if (/\.css$/.test(file)) {
        link.rel = 'preload';
        link.as = 'style';
      } else link.rel = 'modulepreload';
      link.crossOrigin = '';
      // The outline is painted first.
      if (outlined) link.setAttribute('fetchpriority', 'low');
      link.href = '/assets/' + file;
      document.head.appendChild(link);
    });
})();
