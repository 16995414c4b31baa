//! Articles of a shop with long descriptions: most bytes are in strings that no query selects.

#![forbid(unsafe_code)]

use crate::shapes::generator::Random;
use crate::shapes::prose::push_words;
use crate::shapes::prose::words;
use std::fmt::Write;

pub const FRAME: (&str, &str, &str) =
    (r#"{"category":"3944","format":"json","items":["#, ",", "],\"nextPage\":\"/v1/paginated/items?maxId=1\"}\n");

/// One article in this many has the member `bestMarketplacePrice`.
const WITH_MARKETPLACE: u64 = 17;

pub fn push_article(number: u64, random: &mut Random, text: &mut String) {
    let (euros, cents) = (1 + random.below(300), random.below(100));
    let (id, upc) = (40_000_000 + number, random.below(1 << 36));
    // Writing to a string cannot fail.
    write!(
        text,
        r#"{{"itemId":{id},"parentItemId":{id},"name":"{}","msrp":{}.{cents:02},"#,
        words(9, random),
        euros + 3
    )
    .ok();
    write!(
        text,
        r#""salePrice":{euros}.{cents:02},"upc":"{upc:012}","categoryPath":"Home/Kitchen/{}","#,
        words(1, random)
    )
    .ok();
    text.push_str(r#""shortDescription":"&lt;b&gt;"#);
    push_words(60, random, text);
    text.push_str(r#"&lt;/b&gt;","longDescription":""#);
    for _ in 0..8 {
        text.push_str("&lt;li&gt;");
        push_words(30 + random.below(30), random, text);
        text.push_str("&lt;/li&gt;");
    }
    write!(
        text,
        r#"","brandName":"{}","thumbnailImage":"http://i.example.com/{upc:x}_100X100.jpg","#,
        words(1, random)
    )
    .ok();
    write!(text, r#""productTrackingUrl":"http://linksynergy.example.com/fs-bin/click?id={upc}&offerid={id}","#).ok();
    text.push_str(
        r#""standardShipRate":4.97,"marketplace":false,"attributes":{"color":"red","productUrlText":"/ip/x"},"#,
    );
    if number % WITH_MARKETPLACE == 3 {
        write!(
            text,
            r#""bestMarketplacePrice":{{"price":{euros}.05,"sellerInfo":"{}","standardShipRate":0,"#,
            words(2, random)
        )
        .ok();
        text.push_str(r#""twoThreeDayShippingRate":2.99,"availableOnline":true,"clearance":false},"#);
    }
    text.push_str(r#""freeShipping":true,"stock":"Available","availableOnline":true}"#);
}
