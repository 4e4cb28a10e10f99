//! Geographic coordinates.

mod pair;
mod sexagesimal;

use crate::pii::{Match, PiiType, Scanner};

/// A latitude and a longitude: decimal degrees with four decimals or more (about ten metres), or degrees, minutes and seconds.
///
/// Pairs inside a longer row of figures (paths of a drawing, tables, vectors) are none, nor are pairs of shares between 0 and 1.
pub struct GpsCoordinate;

impl PiiType for GpsCoordinate {
    fn name(&self) -> &'static str {
        "gps_coordinate"
    }

    fn context(&self) -> &'static [&'static str] {
        &[
            "gps",
            "lat",
            "latitude",
            "lon",
            "lng",
            "long",
            "longitude",
            "coordinates",
            "coordinate",
            "coords",
            "location",
            "located",
            "geo",
            "geolocation",
            "position",
            "koordinaten",
            "standort",
            "breitengrad",
            "coordonnées",
            "emplacement",
            "coordenadas",
            "ubicación",
            "localização",
            "coordinate gps",
            "posizione",
            "координаты",
            "坐标",
            "位置",
            "经纬度",
            "座標",
            "緯度",
            "좌표",
            "위치",
            "إحداثيات",
            "koordinat",
            "konum",
        ]
    }

    fn find(&self, scan: &Scanner<'_>, found: &mut Vec<Match>) {
        pair::find(scan, found);
        sexagesimal::find(scan.text, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        GpsCoordinate.find(&Scanner::new(text), &mut found);
        found.iter().map(|found| found.span.of(text)).collect()
    }

    #[test]
    fn places_are_found_in_decimals_and_in_degrees() {
        for (text, place) in [
            ("meet me at 40.712776, -74.005974.", "40.712776, -74.005974"),
            ("geo:48.858370,2.294481", "48.858370,2.294481"),
            ("坐标:39.9042,116.4074。", "39.9042,116.4074"),
            ("lat: 51.5074, lon: -0.1278", "51.5074, lon: -0.1278"),
            ("{\"lat\": 52.520008, \"lng\": 13.404954}", "52.520008, \"lng\": 13.404954"),
            ("52.5200° N, 13.4050° E", "52.5200° N, 13.4050° E"),
            ("at 40°42'46\"N 74°00'21\"W", "40°42'46\"N 74°00'21\"W"),
            ("maps/@40.7127760,-74.0059740,15z", "40.7127760,-74.0059740"),
        ] {
            assert_eq!(found(text), [place], "{text}");
        }
    }

    #[test]
    fn figures_and_drawings_are_no_places() {
        for text in [
            "M 10.1234,20.5678 30.1234,40.5678 Z",
            "0.1234, 0.5678",
            "[12.34567, 23.45678, 34.56789]",
            "12.5, 13.5",
            "95.1234, 200.5678",
            "rose from 12.3456,34.5678",
            "3.14159265 and 2.71828182",
            "20° C to 30° C",
            "1.2345, 6.7891, 2.3456",
            "2024.1234.5678",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
