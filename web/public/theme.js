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
  // Which part of the app the page belongs to. Whoever is not signed in will be led to the sign-in.
  var path = typeof location === 'object' ? location.pathname : '';
  var part = '';
  if (path.indexOf('/user/') === 0) part = 'account';
  else if (path.indexOf('/app/') === 0)
    if (read('token') === null) part = 'account';
    else if (path === '/app/play-area') part = 'room';
    else part = path === '/app/play-area-view' ? 'client' : 'frame';
  // What outline.css draws until a page stands. The room has none: its field comes as a whole.
  var outlined = part === 'frame' || part === 'account';
  if (outlined) root.setAttribute('data-outline', part);
  // A page that the server drew can be pressed before its script has come: light/earlyClicks.ts asks here what was
  // last.
  var entering = /^\/user\/(join|code)(\/|$)/.test(path);
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
  // Somebody who is in, waits or is signed in does not see the form that the server drew for a stranger.
  if (entering && read('token') !== null) root.setAttribute('data-known', '');
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
  // The files of part and page, as the build has written them beside this script's address.
  var script = document.currentScript;
  var page = part === 'account' && path.indexOf('/app/') === 0 ? '/user/login' : path;
  var names = [part, 'page' + page.replace(/\/$/, '').replace(/\//g, '-')];
  // The words too: English ones stand in for what another language lacks.
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
