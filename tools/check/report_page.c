/* SPDX-License-Identifier: Apache-2.0
 * report_page.c - the frame of the HTML page: styles for light and dark screens, and the legend. */
#include "check/figure.h"

#include "values/heat.h"

/* clang-format off */
static const char style[] =
    "body{margin:0 auto;max-width:1180px;padding:28px 20px 60px;"
    "background:var(--page);color:var(--text);font:15px/1.5 system-ui,sans-serif}\n"
    "h1{font-size:1.6rem;margin:0 0 4px}h2{font-size:1.25rem;margin:44px 0 6px;padding-top:14px;"
    "border-top:1px solid var(--line)}h3{font-size:1rem;margin:22px 0 8px}"
    "small,.soft,.scale{color:var(--soft);font-weight:normal}a{color:inherit}\n"
    "code,pre{font:12.5px/1.45 ui-monospace,monospace;overflow-wrap:anywhere}"
    "pre{white-space:pre-wrap;margin:8px 0 0;padding:7px 9px;background:var(--same);"
    "border-radius:5px;user-select:all}\n"
    ".cards,.cases{display:grid;gap:12px}.cards{grid-template-columns:repeat(auto-fit,"
    "minmax(140px,1fr));margin:20px 0}.card,.case{background:var(--card);border:1px solid "
    "var(--line);border-radius:8px;padding:12px 14px;margin:0}.card b{display:block;"
    "font-size:1.5rem;font-variant-numeric:tabular-nums}.card.no b{color:var(--bad)}\n"
    ".cases{grid-template-columns:repeat(auto-fill,minmax(258px,1fr));margin:12px 0}"
    ".case.bad{border-color:var(--bad)}.case.known{border-color:var(--known)}"
    "figcaption{font-size:14px}.tag{color:var(--good)}.bad .tag,.n.bad{color:var(--bad);font-weight:bold}"
    ".known .tag{color:var(--known)}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:13.5px;"
    "font-variant-numeric:tabular-nums}th,td{padding:4px 8px;text-align:right;"
    "border-bottom:1px solid var(--line);vertical-align:bottom}td{white-space:nowrap;vertical-align:middle}"
    "th{color:var(--soft);font-weight:normal;line-height:1.25}th:first-child,td:first-child{text-align:left;white-space:normal}\n"
    ".bar{display:flex;width:110px;height:9px;border-radius:4px;overflow:hidden;"
    "background:var(--same)}.bar i{height:9px}.bar .exact,.k.exact{background:var(--good)}.bar .near,.k.near{"
    "background:var(--near)}.bar .bad,.k.bad{background:var(--bad)}.bar .known,.k.known{background:var(--known)}"
    ".k{display:inline-block;width:10px;height:10px;border-radius:2px;margin:0 4px 0 10px}\n"
    "summary{cursor:pointer;margin:10px 0}.heat{display:block;margin:10px 0 6px;overflow:visible}"
    ".heat path{fill:none;stroke-width:1;shape-rendering:crispEdges}.heat .same{fill:var(--same)}"
    ".heat circle{fill:none;vector-effect:non-scaling-stroke}.ring0{stroke:var(--ring0);"
    "stroke-width:4}.ring1{stroke:var(--ring1);stroke-width:1.6}.scale{font-size:12.5px}\n"
    ".ramp,.cell{display:inline-block;height:10px;vertical-align:-1px;border-radius:2px}"
    ".ramp{width:88px;background:linear-gradient(90deg,var(--l0) 12.5%,var(--l1) 0 25%,"
    "var(--l2) 0 37.5%,var(--l3) 0 50%,var(--l4) 0 62.5%,var(--l5) 0 75%,var(--l6) 0 87.5%,"
    "var(--l7) 0)}.cell{width:10px}.cell.same{background:var(--same);outline:1px solid var(--line)}"
    ".cell.x{background:var(--lx)}.cell.first{border:2px solid var(--ring1);border-radius:50%}\n"
    ".legend{display:flex;flex-wrap:wrap;gap:4px 22px;margin:10px 0;font-size:13.5px}\n";
/* clang-format on */

void check_page_head(io_bytes *to, const char *title)
{
    html_head(to, title);
    html_bytes(to, style, sizeof style - 1);
    for (int i = 0; i < HEAT_LEVELS; i++)
        html_put(to, ".heat .l%d{stroke:var(--l%d)}", i, i);
    html_put(to, ".heat .lx{stroke:var(--lx)}\n</style>\n</head>\n<body>\n");
}

void check_page_legend(io_bytes *to)
{
    html_put(to,
             "<h3>How to read the pictures</h3>\n"
             "<p class=\"soft\">Each shows |difference| over one output, its elements laid out in "
             "rows.</p>\n<div class=\"legend\">"
             "<span><i class=\"cell same\"></i> the same</span>"
             "<span>least <i class=\"ramp\"></i> greatest: |difference|, logarithmic, with "
             "the ends below each picture</span>"
             "<span><i class=\"cell x\"></i> one of the two is NaN or infinite</span>"
             "<span><i class=\"cell first\"></i> the first element that differs</span>"
             "</div>\n");
}
