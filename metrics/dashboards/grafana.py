"""A dashboard as Grafana's JSON (schema 39: Grafana 10.4 and later)."""

SCHEMA = 39
SERVICE = 'namespace=~"$namespace",job=~"$job"'
SCOPE = f'{SERVICE},instance=~"$instance"'
ROW_HEIGHT = {"graph": 8, "heatmap": 8, "figure": 4, "names": 4}
DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
TAG = "neardup"
# A metric that every instance has; its labels fill the variables.
EVERYWHERE = "neardup_build_info"


def dashboard(source):
    return {
        "uid": source.uid,
        "title": f"neardup / {source.title}",
        "description": source.answers,
        "tags": [TAG],
        "schemaVersion": SCHEMA,
        "version": 1,
        "editable": True,
        "graphTooltip": 1,  # one crosshair for all panels
        "time": {"from": "now-1h", "to": "now"},
        "refresh": "30s",
        "links": [_links()],
        "templating": {"list": _variables()},
        "annotations": {"list": [_starts()]},
        "panels": list(_panels(source.rows)),
    }


def _links():
    return {"type": "dashboards", "title": "neardup", "tags": [TAG], "asDropdown": False, "includeVars": True,
            "keepTime": True, "targetBlank": False, "icon": "external link", "tooltip": "", "url": ""}


def _variables():
    all_of_them = {"includeAll": True, "allValue": ".*", "multi": True,
                 "current": {"selected": True, "text": ["All"], "value": ["$__all"]}}
    labels = [("namespace", ""), ("job", 'namespace=~"$namespace"'),
              ("instance", 'namespace=~"$namespace",job=~"$job"')]
    datasource = {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus",
                  "refresh": 1}
    return [datasource] + [
        {"name": label, "label": label.capitalize(), "type": "query", "datasource": DATASOURCE, "refresh": 2, "sort": 1,
         "definition": _values(label, where), "query": {"query": _values(label, where), "refId": label}, **all_of_them}
        for label, where in labels]


def _values(label, where):
    return f"label_values({EVERYWHERE}{{{where}}}, {label})" if where else f"label_values({EVERYWHERE}, {label})"


def _starts():
    return {"name": "Starts", "datasource": DATASOURCE, "enable": True, "iconColor": "orange",
            "expr": f"process_start_time_seconds{{{SCOPE}}} * 1000", "useValueForTime": True,
            "titleFormat": "Start", "textFormat": "{{instance}}"}


def _panels(rows):
    number, y = 0, 0
    for row in rows:
        number += 1
        yield {"id": number, "type": "row", "title": row.question, "collapsed": False, "panels": [],
               "gridPos": {"h": 1, "w": 24, "x": 0, "y": y}}
        y += 1
        x, height = 0, 0
        for panel in row.panels:
            if x + panel.width > 24:
                x, y, height = 0, y + height, 0
            number += 1
            height = max(height, ROW_HEIGHT[panel.kind])
            place = {"h": ROW_HEIGHT[panel.kind], "w": panel.width, "x": x, "y": y}
            yield {"id": number, "gridPos": place, **_panel(panel)}
            x += panel.width
        y += height


def _panel(panel):
    return {
        "title": panel.title,
        "description": panel.tells,
        "datasource": DATASOURCE,
        "targets": [_target(panel, query, chr(ord("A") + i)) for i, query in enumerate(panel.queries)],
        **{"graph": _graph, "figure": _figure, "names": _names, "heatmap": _heatmap}[panel.kind](panel),
    }


def _target(panel, query, name):
    now_only = panel.kind == "names"
    return {"refId": name, "editorMode": "code", "expr": expression(query),
            "legendFormat": query.legend or "__auto", "range": not now_only, "instant": now_only,
            **({"format": "heatmap"} if panel.kind == "heatmap" else {})}


def expression(query):
    return query.expr.replace("SCOPE", SCOPE).replace("SERVICE", SERVICE).replace("[RATE]", "[$__rate_interval]")


def _graph(panel):
    custom = {"drawStyle": "line", "lineWidth": 1, "fillOpacity": 30 if panel.stacked else 5, "showPoints": "never",
              "stacking": {"mode": "normal" if panel.stacked else "none"},
              "thresholdsStyle": {"mode": "off" if panel.alarm is None else "dashed"},
              "scaleDistribution": {"type": "log", "log": 10} if panel.log_scale else {"type": "linear"}}
    legend = {"displayMode": "table", "placement": "bottom", "showLegend": True, "calcs": ["lastNotNull", "max"]}
    return {"type": "timeseries", "fieldConfig": _fields(panel, custom),
            "options": {"legend": legend, "tooltip": {"mode": "multi", "sort": "desc"}}}


def _figure(panel):
    return _stat(panel, text="auto", graph="area")


def _names(panel):
    return _stat(panel, text="name", graph="none")


def _stat(panel, text, graph):
    latest = {"calcs": ["lastNotNull"], "fields": "", "values": False}
    return {"type": "stat", "fieldConfig": _fields(panel, {}),
            "options": {"colorMode": "value", "graphMode": graph, "textMode": text, "justifyMode": "auto",
                        "orientation": "auto", "reduceOptions": latest}}


def _heatmap(panel):
    return {"type": "heatmap", "fieldConfig": {"defaults": {}, "overrides": []},
            "options": {"calculate": False, "cellGap": 1, "color": {"mode": "scheme", "scheme": "Oranges", "steps": 64},
                        "yAxis": {"unit": panel.unit}, "tooltip": {"mode": "single", "yHistogram": True},
                        "legend": {"show": True}}}


def _fields(panel, custom):
    limits = {"min": 0} if not panel.log_scale else {}
    if panel.highest is not None:
        limits["max"] = panel.highest
    empty = {"noValue": panel.empty} if panel.empty else {}
    return {"defaults": {"unit": panel.unit, **limits, **empty, "custom": custom, "thresholds": _thresholds(panel)},
            "overrides": []}


def _thresholds(panel):
    steps = [{"color": "green", "value": None}]
    if panel.alarm is not None:
        below, above = ("red", "green") if panel.alarm_below else ("green", "red")
        steps = [{"color": below, "value": None}, {"color": above, "value": panel.alarm}]
    return {"mode": "absolute", "steps": steps}
